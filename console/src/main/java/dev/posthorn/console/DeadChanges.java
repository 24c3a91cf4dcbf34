package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.postgres.DeadDecision;
import dev.posthorn.postgres.DeadFilter;
import dev.posthorn.postgres.PostgresDeadDesk;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Decisions about dead letters: a few at once, many as a job. */
final class DeadChanges {

    private static final int MOST_IDS = 500;
    private static final int HIGHEST_RATE = 9_999_999;
    private static final List<String> FIELDS = List.of("reason", "filter", "ids", "rate", "dry_run", "expected");

    /** Makes a decision of a reason. */
    private interface Decide {
        DeadDecision because(String reason);
    }

    private final Live live;
    private final Once once;

    DeadChanges(Live live, Once once) {
        this.live = live;
        this.once = once;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.post(
                        "/v1/dead/count",
                        Right.READ,
                        Manual.of("How many dead letters a filter finds. Changes nothing.", "Count")
                                .taking("DeadCount"),
                        call -> Answer.json(
                                Json.object().put("count", desk(live.desk()).count(filter(call.wish()))))),
                change("redrive", "Sends dead letters back to where they died.", DeadDecision::redrive),
                change(
                        "reprocess",
                        "The same, and consumers handle them even if their inbox says that they did.",
                        DeadDecision::reprocess),
                change("discard", "Gives dead letters up for good.", DeadDecision::discard));
    }

    private Endpoint change(String verb, String summary, Decide decide) {
        return Endpoint.post(
                "/v1/dead/" + verb,
                Right.OPERATE,
                Manual.of(
                                summary
                                        + " Those of ids at once; those of a filter as a job, for which expected is the count"
                                        + " that a dry run told.",
                                "DeadResult")
                        .taking("DeadDecision"),
                once.of((call, desk) ->
                        decide(call, desk, decide.because(call.wish().reason()))));
    }

    private static PostgresDeadDesk desk(Desk desk) {
        return new PostgresDeadDesk(desk.database(), desk.schema());
    }

    /** A few together with their answer; a job has connections of its own, for it goes on after the answer. */
    private Answer decide(Call call, Desk joined, DeadDecision decision) throws InterruptedException {
        Wish wish = call.wish();
        wish.only(FIELDS);
        if (wish.has("ids") == wish.has("filter")) {
            throw Refusal.invalid("Say which: either ids, or a filter. Nothing was changed.");
        }
        DeadWork.Pace pace =
                new DeadWork.Pace(wish.number("rate", 1, HIGHEST_RATE).orElse(0), wish.flag("dry_run"));
        String who = call.who().name();
        return wish.has("ids")
                ? decideFew(desk(joined).as(who), decision, pace, wish)
                : decideMany(desk(live.desk()).as(who), decision, pace, call);
    }

    private static Answer decideFew(PostgresDeadDesk desk, DeadDecision decision, DeadWork.Pace pace, Wish wish)
            throws InterruptedException {
        List<String> ids = wish.texts("ids");
        if (ids.isEmpty() || ids.size() > MOST_IDS) {
            throw Refusal.invalid("ids has " + ids.size() + " of them, but may have 1 to " + MOST_IDS
                    + ". Use a filter for more. Nothing was changed.");
        }
        List<DeadFilter> filters = new ArrayList<>();
        for (String id : ids.stream().distinct().toList()) {
            DeadFilter filter = DeadFilter.all().id(Call.uuid("id", id));
            if (desk.list(filter, null, 1).isEmpty()) {
                throw Refusal.missing(id + " is not dead. Nothing was changed. See: posthorn dead list");
            }
            filters.add(filter);
        }
        DeadWork.Pace atOnce = new DeadWork.Pace(0, pace.trial());
        return Answer.json(
                DeadFormat.result(new DeadWork(desk, decision, atOnce, (done, total, tally) -> {}).run(filters)));
    }

    private Answer decideMany(PostgresDeadDesk desk, DeadDecision decision, DeadWork.Pace pace, Call call) {
        DeadFilter filter = filter(call.wish());
        long count = desk.count(filter);
        if (pace.trial()) {
            return Answer.json(trial(desk, decision, filter, count));
        }
        int expected = call.wish()
                .number("expected", 0, Integer.MAX_VALUE)
                .orElseThrow(() -> Refusal.invalid(
                        "Many may be found: say in expected how many the dry run told. Nothing was changed."));
        if (count > expected) {
            throw Refusal.conflict(
                    "more-than-expected",
                    count + " are dead like that by now, not " + expected + ". Look again. Nothing was changed.");
        }
        Job.Order order = new Job.Order(
                decision.verb().word(), call.who().name(), call.wish().reason());
        Job job = live.jobs().start(order, live.now(), count, started -> work(started, desk, decision, pace, filter));
        return Answer.json(202, Json.object().put("job", job.id().toString()).put("total", count));
    }

    private static boolean work(
            Job job, PostgresDeadDesk desk, DeadDecision decision, DeadWork.Pace pace, DeadFilter filter)
            throws InterruptedException {
        DeadWork work = new DeadWork(
                desk, decision, pace, (done, total, tally) -> job.reached(new Job.Progress(done, total, tally)));
        job.onStop(work::stop);
        DeadWork.Result result = work.run(List.of(filter));
        job.reached(new Job.Progress(result.extent().done(), result.extent().total(), Map.copyOf(result.tally())));
        job.found(DeadFormat.result(result));
        return !result.extent().stopped();
    }

    /** Tells of all how many, and of the first what they are: to go through all could take long. */
    private static ObjectNode trial(PostgresDeadDesk desk, DeadDecision decision, DeadFilter filter, long count) {
        ObjectNode json = Json.object()
                .put("action", decision.verb().word())
                .put("dry_run", true)
                .put("count", count)
                .put("total", count);
        json.set("events", Json.array(desk.list(filter, null, 100), DeadFormat::entry));
        return json;
    }

    private static DeadFilter filter(Wish wish) {
        Wish filter = wish.inside("filter");
        filter.only(DeadQuery.NAMES);
        return DeadQuery.filter(filter::text);
    }
}
