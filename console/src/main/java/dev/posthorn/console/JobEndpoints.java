package dev.posthorn.console;

import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.postgres.PostgresActions;
import dev.posthorn.postgres.PostgresActions.Deed;
import java.util.List;

/** Long work of this process, watched and stopped. */
final class JobEndpoints {

    private final Live live;
    private final Once once;

    JobEndpoints(Live live, Once once) {
        this.live = live;
        this.once = once;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        "/v1/jobs",
                        Right.READ,
                        Manual.of("Long work that this process does or did, the newest first.", "Jobs"),
                        call -> Answer.json(live.jobs().json())),
                Endpoint.get(
                        "/v1/jobs/{id}",
                        Right.READ,
                        Manual.of("One of them.", "Job"),
                        call -> Answer.json(live.jobs().find(call.id("id")).json())),
                Endpoint.post(
                        "/v1/jobs/{id}/stop",
                        Right.OPERATE,
                        Manual.of("Ends a job after the page it is at. What is done stays done.", "Job")
                                .taking("Reason"),
                        once.of((call, desk) -> stop(call, desk))));
    }

    private Answer stop(Call call, Desk desk) {
        call.wish().only(List.of("reason"));
        Job job = live.jobs().find(call.id("id"));
        if (!job.isRunning()) {
            throw Refusal.conflict("not-in-this-state", "Job " + job.id() + " is over. There is nothing to stop.");
        }
        job.stop();
        new PostgresActions(desk.schema(), call.who().name())
                .record(
                        desk.database(),
                        new Deed(
                                "stop_job",
                                null,
                                job.id().toString(),
                                call.wish().reason(),
                                job.progress().count()));
        return Answer.json(job.json());
    }
}
