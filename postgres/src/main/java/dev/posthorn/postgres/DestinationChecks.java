package dev.posthorn.postgres;

import dev.posthorn.postgres.PostgresDestinations.Destination;
import java.util.List;

/** What the doctor looks at in the destinations of routes. */
final class DestinationChecks {

    private DestinationChecks() {}

    static boolean look(Examination of) {
        List<Destination> all = new PostgresDestinations(of.database(), of.schema()).list();
        for (Destination one : all) {
            one.missingSince()
                    .ifPresent(since -> of.found(
                            "destination",
                            true,
                            "the " + one.kind() + " " + one.name() + " is missing since " + since + where(one),
                            "Events wait for it. Restore it at the broker, or let it be created: posthorn destinations create "
                                    + one.name() + ". Its subscribers have to subscribe again."));
            one.unheardSince()
                    .filter(since -> !one.routes().isEmpty())
                    .ifPresent(since -> of.found(
                            "subscribers",
                            false,
                            "nobody subscribes to the " + one.kind() + " " + one.name() + " since " + since
                                    + where(one),
                            "Events are published and reach nobody. Start a consumer, correct the prefix of the route or of"
                                    + " the consumer, or retire the route."));
        }
        return true;
    }

    private static String where(Destination one) {
        return one.routes().isEmpty() ? "" : ", where route " + String.join(", ", one.routes()) + " publishes";
    }
}
