package dev.posthorn.console;

import dev.posthorn.console.Endpoint.Manual;
import java.time.Duration;
import java.util.List;

/** What is shown while it changes. */
final class LiveEndpoints {

    private static final int MINUTES = 15;

    private final Live live;

    LiveEndpoints(Live live) {
        this.live = live;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        "/v1/overview",
                        Right.READ,
                        Manual.of(
                                "What is wrong, why, and what to do about it; and how much there is of everything.",
                                "Overview"),
                        call -> Answer.json(live.overview())),
                Endpoint.get(
                        "/v1/history",
                        Right.READ,
                        Manual.of(
                                "Rates, backlog and lag of the last minutes, as this process saw them.",
                                "History",
                                "minutes"),
                        call -> Answer.json(live.history()
                                .json(live.now()
                                        .minus(Duration.ofMinutes(
                                                call.number("minutes", MINUTES, 1, History.MOST_MINUTES)))))),
                Endpoint.get(
                        "/v1/stream",
                        Right.READ,
                        Manual.of("The overview and each new point of the history, as server-sent events.", "stream"),
                        call -> Answer.flow("text/event-stream; charset=utf-8", new EventStream(live))));
    }
}
