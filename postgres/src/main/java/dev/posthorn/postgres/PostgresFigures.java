package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
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

    static final int ONE_MORE = MOST_COUNTED + 1;

    /**
     * How a route stands.
     *
     * @param lanes each of its lanes
     * @param blockedKeys keys that wait for their head, held ones included
     * @param scheduled events that asked for a later time
     */
    public record RouteFigures(
            String route, boolean paused, List<LaneFigures> lanes, Count blockedKeys, long heldKeys, Count scheduled) {

        public RouteFigures {
            lanes = List.copyOf(lanes);
        }

        /** Events that wait: neither published nor dead nor scheduled. */
        public Count waiting() {
            return Count.sum(lanes.stream().map(LaneFigures::waiting));
        }

        /** The age of the oldest event that its lane has not passed. */
        public Duration lag() {
            return longest(LaneFigures::lag);
        }

        /** The age of the oldest event that waits. */
        public Duration oldest() {
            return longest(LaneFigures::oldest);
        }

        /** How long the lane that stands longest has not moved though events wait in it. */
        public Duration standing() {
            return longest(LaneFigures::standing);
        }

        /** Lanes that a relay holds. */
        public int held() {
            return (int) lanes.stream().filter(lane -> lane.owner().isPresent()).count();
        }

        /** How often lanes changed hands since the route was created. */
        public long changes() {
            return lanes.stream().mapToLong(LaneFigures::epoch).sum();
        }

        private Duration longest(Function<LaneFigures, Duration> of) {
            return lanes.stream().map(of).max(Duration::compareTo).orElse(Duration.ZERO);
        }
    }

    /**
     * How a lane of a route stands, by the clock of the database.
     *
     * @param owner the relay that holds it now
     * @param movedAt when its newest checkpoint was written
     * @param waiting events that wait
     * @param now when that was seen
     */
    public record LaneFigures(
            int lane, long epoch, Optional<String> owner, Instant movedAt, Count waiting, Since since, Instant now) {

        /** The age of the oldest event that the lane has not passed. */
        public Duration lag() {
            return age(since.passed());
        }

        /** The age of the oldest event that waits. */
        public Duration oldest() {
            return age(oldestSince());
        }

        /** When the oldest event that waits was emitted, or fell due. */
        public Optional<Instant> oldestSince() {
            return Stream.concat(since.passed().stream(), since.parked().stream())
                    .min(Comparator.naturalOrder());
        }

        /** How long it has not moved though events wait in it. */
        public Duration standing() {
            return age(since.passed().map(first -> first.isBefore(movedAt) ? movedAt : first));
        }

        /** Nothing waits: no time. The clock may have been set back. */
        private Duration age(Optional<Instant> from) {
            Duration age = Duration.between(from.orElse(now), now);
            return age.isNegative() ? Duration.ZERO : age;
        }
    }

    /** When the oldest of the events that a lane has not passed, and of those that it has and that are parked, began to wait. */
    public record Since(Optional<Instant> passed, Optional<Instant> parked) {}

    /** A number that is right if it is exact, and about right if not. */
    public record Count(long number, boolean exact) {

        public static Count sum(Stream<Count> counts) {
            return counts.reduce(new Count(0, true), (a, b) -> new Count(a.number + b.number, a.exact && b.exact));
        }
    }

    /** Open dead letters of a station, which is a route or a consumer; {@code spent} after more than one attempt. */
    public record DeadFigures(String station, String name, Count letters, long spent) {}

    /** A consumer by the word of its members. */
    public record ConsumerFigures(
            String consumer, int members, int silent, Duration lag, long handled, long duplicates) {}

    /** How many events of a type no handler of a consumer wanted. */
    public record UnhandledFigures(String consumer, String type, long events) {}

    /** How many events that were handed over wait at a consumer, and how long the oldest has waited. */
    public record HandoverFigures(String consumer, long waiting, Duration oldest) {}

    /** Replays of one target that are not over. */
    public record ReplayFigures(String kind, String target, int running, int failed, long done, long remaining) {}

    /**
     * Figures of the server.
     *
     * @param xmin the oldest transaction that is open and has written; the next one if none is
     * @param xminAge the number of transactions that have begun since
     */
    public record ServerFigures(long xmin, long xminAge, boolean standby) {}

    /** From emit to publish, of the newest published events. */
    public record LagFigures(Duration p50, Duration p99) {}

    private static final String NO_RIGHT = "42501";

    private final Looks looks;
    private final ConsumerInspection consumers;

    public PostgresFigures(DataSource database, Schema schema) {
        this.looks = new Looks(database, schema);
        this.consumers = new ConsumerInspection(database, schema);
    }

    /** Whether a look failed because this login may not see that, such as one that an older version gave its rights. */
    public static boolean isRefusal(PosthornException failure) {
        return failure.getCause() instanceof SQLException cause && NO_RIGHT.equals(cause.getSQLState());
    }

    /** What this look saw, or nothing if this login may not see it. */
    public static <T> Optional<T> ifAllowed(Supplier<T> look) {
        try {
            return Optional.of(look.get());
        } catch (PosthornException refused) {
            if (isRefusal(refused)) {
                return Optional.empty();
            }
            throw refused;
        }
    }

    /** Every route that is not retired. */
    public List<RouteFigures> routes() {
        return LaneRows.read(looks).stream()
                .filter(route -> !route.retired())
                .map(LaneRows::figures)
                .toList();
    }

    /** Routes and consumers that have dead letters. One limit is for all routes, and one for all consumers. */
    public List<DeadFigures> dead() {
        List<DeadFigures> found = looks.query(
                "figures_dead",
                bind -> bind.value(ONE_MORE).value(ONE_MORE),
                row -> new DeadFigures(
                        row.getString("station"),
                        row.getString("name"),
                        new Count(row.getLong("letters"), true),
                        row.getLong("spent")));
        return found.stream()
                .map(one -> isCounted(found, one.station())
                        ? one
                        : new DeadFigures(
                                one.station(),
                                one.name(),
                                new Count(one.letters().number(), false),
                                one.spent()))
                .toList();
    }

    /** Whether all dead letters of routes, or of consumers, were counted. */
    public static boolean isCounted(List<DeadFigures> dead, String station) {
        return dead.stream()
                        .filter(one -> one.station().equals(station))
                        .mapToLong(one -> one.letters().number())
                        .sum()
                <= MOST_COUNTED;
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

    /** Types that no handler of their consumer wanted. */
    public List<UnhandledFigures> unhandled() {
        return consumers.unhandled().stream()
                .map(one -> new UnhandledFigures(one.consumer(), one.type(), one.events()))
                .toList();
    }

    /** Consumers whose members hand events over, as far as some wait. */
    public List<HandoverFigures> handovers() {
        return consumers.handovers().stream()
                .map(one -> new HandoverFigures(one.consumer(), one.events(), one.oldest()))
                .toList();
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
                        row -> new ServerFigures(
                                row.getLong("xmin"), row.getLong("xmin_age"), row.getBoolean("standby")))
                .get(0);
    }

    /** Nothing waits: no time. The clock may have been set back. */
    private static Duration seconds(ResultSet row, String column) throws SQLException {
        return Duration.ofNanos((long) (Math.max(0, row.getDouble(column)) * 1e9));
    }
}
