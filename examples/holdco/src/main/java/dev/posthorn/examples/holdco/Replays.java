package dev.posthorn.examples.holdco;

import dev.posthorn.codecs.Envelopes;
import dev.posthorn.postgres.PostgresReplayDesk;
import dev.posthorn.postgres.PostgresReplays;
import dev.posthorn.postgres.ReplayLoop;
import dev.posthorn.postgres.Schema;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Source;
import dev.posthorn.replay.Target;
import dev.posthorn.transport.Publisher;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Set;
import javax.sql.DataSource;

/** Publishes again by aggregate type and range of time, from the log or from the archive. */
public final class Replays {

    private static final Target ROUTE = Target.route(HoldcoRelay.ROUTE);

    private final PostgresReplayDesk desk;

    public Replays(DataSource database) {
        desk = new PostgresReplayDesk(database, Schema.DEFAULT);
    }

    // docs:start:holdco-replay
    /** Starts to publish again what happened to aggregates of this type from a time on and before another. */
    public Replay start(Aggregate aggregate, Instant from, Instant to, String reason) {
        return desk.start(request(aggregate, from, to, reason));
    }

    /** The same with what has left the log for the archive. */
    public Replay startFromArchive(Path folder, Aggregate aggregate, Instant from, Instant to, String reason) {
        Replay.Request request = request(aggregate, from, to, reason);
        return desk.start(request.from(Source.archive(folder, request.selection())));
    }

    private static Replay.Request request(Aggregate aggregate, Instant from, Instant to, String reason) {
        Selection selection = Selection.ALL
                .withDomains(Set.of(Holdco.DOMAIN))
                .withAggregateTypes(Set.of(aggregate.type()))
                .between(from, to);
        return Replay.Request.into(ROUTE).selecting(selection).because(reason);
    }

    /** Publishes what was started. Run it beside the relay; several share the work, and one goes on where another died. */
    public static ReplayLoop serve(DataSource database, Publisher broker, String name) {
        return ReplayLoop.start(new ReplayStep.Parts(
                name,
                ROUTE,
                new PostgresReplays(database, Schema.DEFAULT),
                Envelopes.around(broker, Holdco.ENVELOPE),
                ReplayConfig.standard()));
    }
    // docs:end:holdco-replay
}
