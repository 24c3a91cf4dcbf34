package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * The figures of a schema that metrics show, at a cost that has a limit however much there is.
 *
 * <p>Changes nothing. Each method is one statement, so two answers may be of two moments. Needs the rights of a {@link
 * RoleKind#RELAY} or a {@link RoleKind#VIEWER}. Thread-safe.
 */
public final class PostgresFigures {

    /** Nothing is counted any further than this. */
    public static final int MOST_COUNTED = 10_000;

    private static final int ONE_MORE = MOST_COUNTED + 1;

    /** As the statement has it. */
    private static final int MOST_KEYS = 1_000;

    /**
     * How a route stands.
     *
     * @param waiting events that no checkpoint covers
     * @param lag how old the oldest of them is
     * @param standing how long the lane that stands longest has not moved though events wait in it
     */
    public record RouteFigures(
            String route, boolean paused, Lanes lanes, Count waiting, Duration lag, Duration standing) {}

    /** Lanes of a route: how many there are, how many a relay holds, and how often they changed hands since it was created. */
    public record Lanes(int all, int held, long changes) {}

    /** A number that is right if it is exact, and about right if not. */
    public record Count(long number, boolean exact) {}

    /**
     * What of a route is off the way and not dead.
     *
     * @param parked events of blocked keys that the lane has passed
     * @param parkedFor how old the oldest of them is
     * @param again single events that are tried again
     */
    public record OffWayFigures(
            String route, Count blockedKeys, long heldKeys, Count parked, Duration parkedFor, Count again) {}

    /** Open dead letters of a station, which is a route or a consumer; {@code spent} after more than one attempt. */
    public record DeadFigures(String station, String name, Count letters, long spent) {}

    /** A consumer by the word of its members. */
    public record ConsumerFigures(
            String consumer, int members, int silent, Duration lag, long handled, long duplicates) {}

    /** Replays of one target that are not over. */
    public record ReplayFigures(String kind, String target, int running, int failed, long done, long remaining) {}

    /** How many transactions have begun since the oldest that is open, and whether this is a standby. */
    public record ServerFigures(long xminAge, boolean standby) {}

    /** From emit to publish, of the newest published events. */
    public record LagFigures(Duration p50, Duration p99) {}

    private static final String NO_RIGHT = "42501";

    private final Looks looks;

    public PostgresFigures(DataSource database, Schema schema) {
        this.looks = new Looks(database, schema);
    }

    /** Whether a look failed because this login may not see that, such as one that an older version gave its rights. */
    public static boolean isRefusal(PosthornException failure) {
        return failure.getCause() instanceof SQLException cause && NO_RIGHT.equals(cause.getSQLState());
    }

    /** Every route that is not retired. */
    public List<RouteFigures> routes() {
        return looks.query(
                "figures_routes",
                PostgresFigures::limits,
                row -> new RouteFigures(
                        row.getString("route"),
                        row.getBoolean("paused"),
                        new Lanes(row.getInt("lanes"), row.getInt("held"), row.getLong("changes")),
                        waiting(row.getLong("seen"), row.getLong("wanted"), row.getLong("spread")),
                        seconds(row, "lag_seconds"),
                        seconds(row, "still_seconds")));
    }

    /** Of rows that were looked at, some are the route's; what lies behind the limit is taken to be alike. */
    private static Count waiting(long seen, long wanted, long spread) {
        if (seen <= MOST_COUNTED) {
            return new Count(wanted, true);
        }
        double share = (double) wanted / seen;
        return new Count(Math.max(wanted, Math.round(spread * share)), false);
    }

    /** Every route that is not retired. */
    public List<OffWayFigures> offWay() {
        return looks.query(
                "figures_off_way",
                bind -> {
                    for (int i = 1; i <= 5; i++) {
                        bind.value(ONE_MORE);
                    }
                },
                row -> new OffWayFigures(
                        row.getString("route"),
                        capped(row.getLong("blocked")),
                        row.getLong("held"),
                        parked(row.getLong("parked"), row.getLong("blocked")),
                        seconds(row, "parked_seconds"),
                        capped(row.getLong("again"))));
    }

    /** Events of so many keys are counted; those of further ones are missing. */
    private static Count parked(long events, long keys) {
        Count counted = capped(events);
        return new Count(counted.number(), counted.exact() && keys <= MOST_KEYS);
    }

    /** Routes and consumers that have dead letters. */
    public List<DeadFigures> dead() {
        return looks.query(
                "figures_dead",
                bind -> bind.value(ONE_MORE).value(ONE_MORE),
                row -> new DeadFigures(
                        row.getString("station"),
                        row.getString("name"),
                        capped(row.getLong("letters")),
                        row.getLong("spent")));
    }

    /** Every consumer with members, also those of other processes. */
    public List<ConsumerFigures> consumers() {
        return looks.query(
                "figures_consumers",
                bind -> bind.value((double) PostgresConsumerDesk.GONE.toSeconds()),
                row -> new ConsumerFigures(
                        row.getString("consumer"),
                        row.getInt("members"),
                        row.getInt("silent"),
                        seconds(row, "lag_seconds"),
                        row.getLong("handled"),
                        row.getLong("duplicates")));
    }

    /** Targets of replays that are not over. */
    public List<ReplayFigures> replays() {
        return looks.query(
                "figures_replays",
                statement -> {},
                row -> new ReplayFigures(
                        row.getString("kind"),
                        row.getString("target"),
                        row.getInt("running"),
                        row.getInt("failed"),
                        row.getLong("done"),
                        row.getLong("remaining")));
    }

    /** By so many of the newest checkpoints of each lane; empty if nothing was published yet. */
    public Optional<LagFigures> recentLag(int ofEachLane) {
        return looks
                .query(
                        "recent_lag",
                        bind -> bind.value(ofEachLane),
                        row -> new LagFigures(seconds(row, "p50"), seconds(row, "p99")))
                .stream()
                .findFirst();
    }

    public ServerFigures server() {
        return looks.query(
                        "figures_server",
                        statement -> {},
                        row -> new ServerFigures(row.getLong("xmin_age"), row.getBoolean("standby")))
                .get(0);
    }

    private static void limits(Parameters bind) throws SQLException {
        bind.value(ONE_MORE).value(ONE_MORE).value(ONE_MORE);
    }

    private static Count capped(long counted) {
        return new Count(Math.min(counted, MOST_COUNTED), counted <= MOST_COUNTED);
    }

    /** Nothing waits: no time. The clock may have been set back. */
    private static Duration seconds(ResultSet row, String column) throws SQLException {
        return Duration.ofNanos((long) (Math.max(0, row.getDouble(column)) * 1e9));
    }
}
