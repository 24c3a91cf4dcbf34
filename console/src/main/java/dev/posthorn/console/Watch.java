package dev.posthorn.console;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.postgres.PostgresInspection;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Looks how everything stands, at a cost that has a limit however much there is. */
final class Watch {

    private static final int LAG_SAMPLE = 9;

    private final PostgresFigures figures;
    private final PostgresEvents events;
    private final PostgresInspection inspection;
    private final Clock clock;

    Watch(Desk desk, Clock clock) {
        this.figures = new PostgresFigures(desk.database(), desk.schema());
        this.events = new PostgresEvents(desk.database(), desk.schema());
        this.inspection = new PostgresInspection(desk.database(), desk.schema());
        this.clock = clock;
    }

    /** How it stands now; if the database does not answer, what was known before. */
    Standing runOnce(Standing before) {
        Instant began = clock.instant();
        try {
            List<RouteFigures> routes = figures.routes();
            Standing.Rest rest = new Standing.Rest(
                    PostgresFigures.ifAllowed(figures::dead),
                    PostgresFigures.ifAllowed(figures::consumers),
                    PostgresFigures.ifAllowed(figures::replays),
                    PostgresFigures.ifAllowed(inspection::relays),
                    PostgresFigures.ifAllowed(() -> figures.recentLag(LAG_SAMPLE))
                            .flatMap(Function.identity()),
                    new Standing.Log(
                            events.ends().map(PostgresEvents.Ends::last).orElse(0L),
                            figures.server().xminAge()));
            return new Standing(Optional.of(began), Optional.empty(), routes, rest);
        } catch (PosthornException unreachable) {
            return before.doubted(Secrets.mask(String.valueOf(unreachable.getMessage())));
        }
    }
}
