package dev.posthorn.console;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.PostgresInspection;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

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

    Standing runOnce() {
        try {
            return new Standing(
                    clock.instant(),
                    Optional.empty(),
                    figures.routes(),
                    ifAllowed(figures::offWay),
                    ifAllowed(figures::dead),
                    ifAllowed(figures::consumers),
                    new Standing.Rest(
                            ifAllowed(figures::replays),
                            ifAllowed(inspection::relays),
                            ifAllowed(() -> figures.recentLag(LAG_SAMPLE).stream()
                                            .toList())
                                    .stream()
                                    .findFirst(),
                            events.ends().map(PostgresEvents.Ends::last).orElse(0L),
                            figures.server().xminAge()));
        } catch (PosthornException unreachable) {
            return Standing.unknown(clock.instant(), Secrets.mask(String.valueOf(unreachable.getMessage())));
        }
    }

    /** A role that was given its rights by an older version may not see everything; the rest is shown all the same. */
    private static <T> List<T> ifAllowed(Supplier<List<T>> look) {
        try {
            return look.get();
        } catch (PosthornException refused) {
            if (PostgresFigures.isRefusal(refused)) {
                return List.of();
            }
            throw refused;
        }
    }
}
