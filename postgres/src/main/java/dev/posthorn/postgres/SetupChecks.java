package dev.posthorn.postgres;

import java.sql.SQLException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** What the doctor looks at if it was told how relays run. */
final class SetupChecks {

    private static final int NEWEST_OF_A_LANE = 500;

    /** Payloads of a route that its transport does not take. */
    private record TooLarge(long events, long largest, String kind) {}

    private SetupChecks() {}

    static boolean sizes(Examination of) {
        Looks looks = new Looks(of.database(), of.schema());
        for (Map.Entry<String, Long> route : new TreeMap<>(of.setup().largestPayloads()).entrySet()) {
            List<TooLarge> found = looks.query(
                    "doctor_sizes",
                    bind -> bind.value(NEWEST_OF_A_LANE)
                            .name("route name", route.getKey())
                            .value(route.getValue()),
                    row -> new TooLarge(row.getLong("larger"), row.getLong("largest"), row.getString("kind")));
            found.forEach(
                    one -> of.found("size", true, tell(route.getKey(), route.getValue(), one), advice(route.getKey())));
        }
        return true;
    }

    private static String tell(String route, long limit, TooLarge found) {
        return String.format(
                Locale.ROOT,
                "%,d of the newest events of route %s are larger than the %,d bytes that its transport takes; the largest, a"
                        + " %s, has %,d",
                found.events(),
                route,
                limit,
                found.kind(),
                found.largest());
    }

    private static String advice(String route) {
        return "Each is refused and becomes a dead letter at once. Emit smaller payloads, or raise the limit of broker and"
                + " transport; then posthorn dead redrive --route " + route + " --all.";
    }

    /** Tables into which services write that should find the view of the same name. */
    static boolean deadCopies(Examination of) throws SQLException {
        of.ask("doctor_dead_copies", of.schema().name())
                .forEach(copy -> of.found(
                        "dead copy",
                        true,
                        copy,
                        "A service whose search path finds the table first writes rows there that nobody publishes. Move the rows into"
                                + " the view, then rename the table. If the service looks in that schema, make the views there:"
                                + " posthorn schema seed-views SYSTEM --views SCHEMA."));
        return true;
    }

    static boolean retention(Examination of) {
        of.setup()
                .retention()
                .forEach(warning -> of.found(
                        "retention",
                        false,
                        warning.replaceFirst("\\.$", ""),
                        "Effects of such an event happen twice. Raise retention.inbox, or lower the others: posthorn config print"
                                + " --config FILE shows each value and where it came from."));
        return true;
    }
}
