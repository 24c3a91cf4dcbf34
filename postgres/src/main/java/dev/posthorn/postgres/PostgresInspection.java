package dev.posthorn.postgres;

import dev.posthorn.postgres.PostgresFigures.LaneFigures;
import dev.posthorn.relay.RelayStatus;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Tells how the routes of a schema stand, at a cost that does not grow with the log.
 *
 * <p>Changes nothing. Each method is one statement, so two answers may be of two moments. Needs the rights of a {@link
 * RoleKind#VIEWER}. Thread-safe.
 */
public final class PostgresInspection {

    /** What waits behind a key is not counted any further than this. */
    public static final int MOST_COUNTED = 10_000;

    /** Who is silent for longer is not there any more: relays report every 5 s unless they were told otherwise. */
    public static final Duration GONE = Duration.ofSeconds(30);

    private static final Duration LATELY = Duration.ofMinutes(5);
    private static final int UNROUTED_OF_A_LANE = 50;
    private static final int CHECKPOINTS_OF_A_LANE = 9;

    /** One lane of a route. Nothing waits for a retired one. */
    public record LaneStatus(String route, LaneFigures figures) {

        public int lane() {
            return figures.lane();
        }

        /** The relay that holds it now. */
        public Optional<String> owner() {
            return figures.owner();
        }

        /** Events that wait. */
        public long waiting() {
            return figures.waiting().number();
        }
    }

    /** A relay that has reported to a route, how long ago it last did, what it said, and how many lanes it holds now. */
    public record LiveRelay(
            String route, String name, Instant startedAt, Instant seenAt, Duration silent, int lanes, Work work) {

        /** Whether what it said may be taken for what is. */
        public boolean isAlive() {
            return silent.compareTo(GONE) < 0;
        }
    }

    /**
     * What a relay said of itself.
     *
     * @param published since it started
     * @param perSecond published between its last two reports
     * @param obstacle what stood in its way, if anything
     * @param outage the same in words
     */
    public record Work(
            long published, double perSecond, Optional<RelayStatus.Obstacle> obstacle, Optional<String> outage) {}

    /**
     * How long events took from emit until they were published and checkpointed, lately.
     *
     * @param p50 half of them took no longer
     * @param p99 of a hundred, one took longer
     */
    public record Lag(String route, Duration p50, Duration p99) {}

    /** How much of a route is off the way. */
    public record OffWay(String route, long blockedKeys, long dead, long scheduled) {}

    /**
     * A kind of event that lies on no route, so that it is never published.
     *
     * @param kind domain and type
     * @param events how many were found; there may be more
     */
    public record Unrouted(String kind, long events) {}

    /** A key that waits. */
    public record BlockedKey(String route, int lane, String key, boolean held, Instant since, Setback setback) {}

    /**
     * A key that waits, and for what.
     *
     * @param head the event that it waits for; empty if that is gone
     * @param waiting how many of its events wait, that one included
     */
    public record KeyOnRoute(BlockedKey key, Optional<UUID> head, long waiting) {}

    /**
     * An event that failed for good.
     *
     * @param kind its domain and type, with a slash between
     * @param held whether its key waits for a decision about it
     */
    public record DeadEvent(
            String route,
            UUID id,
            Optional<String> kind,
            Optional<String> key,
            boolean held,
            Instant since,
            Setback setback) {}

    /** How often it did not go through, when it is tried next, and why it did not. */
    public record Setback(int attempts, Optional<Instant> nextAttempt, Optional<String> lastError) {}

    private final Looks looks;

    public PostgresInspection(DataSource database, Schema schema) {
        this.looks = new Looks(database, schema);
    }

    /** Every lane of every route. */
    public List<LaneStatus> lanes() {
        return LaneRows.read(looks).stream()
                .flatMap(route -> route.figures().lanes().stream().map(lane -> new LaneStatus(route.route(), lane)))
                .toList();
    }

    /** Every relay that has reported and not signed off, dead ones included until someone removes them. */
    public List<LiveRelay> relays() {
        return looks.query(
                "inspect_relays",
                statement -> {},
                row -> new LiveRelay(
                        row.getString("route"),
                        row.getString("name"),
                        Looks.time(row, "started_at"),
                        Looks.time(row, "seen_at"),
                        Duration.ofMillis((long) (row.getDouble("silent_seconds") * 1000)),
                        row.getInt("lanes"),
                        new Work(
                                row.getLong("published"),
                                row.getDouble("published_per_second"),
                                Looks.text(row, "obstacle").map(RelayStatus.Obstacle::valueOf),
                                Looks.text(row, "outage"))));
    }

    /** Routes that published something in the last five minutes. */
    public List<Lag> lags() {
        return looks.query(
                "inspect_lag",
                bind -> bind.value(CHECKPOINTS_OF_A_LANE).value((double) LATELY.toSeconds()),
                row -> new Lag(row.getString("route"), seconds(row, "p50"), seconds(row, "p99")));
    }

    /** The clock may have been set back. */
    private static Duration seconds(ResultSet row, String column) throws SQLException {
        return Duration.ofNanos((long) (Math.max(0, row.getDouble(column)) * 1e9));
    }

    /** One entry for each route. */
    public List<OffWay> offWay() {
        return looks.query(
                "inspect_off_way",
                statement -> {},
                row -> new OffWay(
                        row.getString("route"),
                        row.getLong("blocked_keys"),
                        row.getLong("dead"),
                        row.getLong("scheduled")));
    }

    /** Kinds of event that lie on no route, found among the first and the newest events of each lane; at most ten. */
    public List<Unrouted> unrouted() {
        return looks.query(
                "inspect_unrouted",
                bind -> bind.value(UNROUTED_OF_A_LANE).value(UNROUTED_OF_A_LANE),
                row -> new Unrouted(row.getString("kind"), row.getLong("events")));
    }

    /** The keys that have waited longest. */
    public List<BlockedKey> blockedKeys(int limit) {
        return looks.query("inspect_blocked", bind -> bind.value(limit), PostgresInspection::blockedKey);
    }

    /** Where one key waits: an entry for each such route. What waits is counted up to {@link #MOST_COUNTED}. */
    public List<KeyOnRoute> key(String key) {
        return looks.query(
                "inspect_key",
                bind -> bind.value(MOST_COUNTED).text("key", key),
                row -> new KeyOnRoute(
                        blockedKey(row),
                        Optional.ofNullable(row.getObject("head", UUID.class)),
                        row.getLong("events")));
    }

    private static BlockedKey blockedKey(ResultSet row) throws SQLException {
        return new BlockedKey(
                row.getString("route"),
                row.getInt("lane"),
                row.getString("key"),
                row.getBoolean("held"),
                Looks.time(row, "blocked_at"),
                new Setback(
                        row.getInt("attempts"),
                        Looks.optionalTime(row, "next_attempt"),
                        Optional.ofNullable(row.getString("last_error"))));
    }

    /** Events that failed for good, oldest first: of one route or of all, one event or all. */
    public List<DeadEvent> dead(@Nullable String route, @Nullable UUID event, int limit) {
        return looks.query(
                "inspect_dead",
                bind -> bind.text("route name", route)
                        .text("route name", route)
                        .text("event ID", event == null ? null : event.toString())
                        .text("event ID", event == null ? null : event.toString())
                        .value(limit),
                row -> new DeadEvent(
                        row.getString("route"),
                        row.getObject("event_id", UUID.class),
                        Optional.ofNullable(row.getString("kind")),
                        Optional.ofNullable(row.getString("key")),
                        row.getBoolean("held"),
                        Looks.time(row, "changed_at"),
                        new Setback(
                                row.getInt("attempts"),
                                Optional.empty(),
                                Optional.ofNullable(row.getString("last_error")))));
    }
}
