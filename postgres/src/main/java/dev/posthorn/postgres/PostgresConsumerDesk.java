package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where an operator sees how consumers are, pauses them and lets them go on.
 *
 * <p>Looking needs the rights of a {@link RoleKind#VIEWER}, the rest those of an {@link RoleKind#OPERATOR}. Thread-safe.
 */
public final class PostgresConsumerDesk {

    /** A member that has said nothing for longer is taken for gone. */
    public static final Duration GONE = Duration.ofSeconds(30);

    /**
     * A consumer, known since a member of it has run.
     *
     * @param letters how many of its dead letters are DEAD now
     * @param unhandled the types that no handler wanted, the most frequent first
     * @param handedOver how many events that one member left to another wait
     */
    public record ConsumerStatus(
            String name,
            Instant createdAt,
            Optional<Instant> pausedAt,
            long letters,
            List<MemberStatus> members,
            List<Unhandled> unhandled,
            long handedOver) {}

    /** A type that no handler of a consumer wanted, and how many events of it came. */
    public record Unhandled(String type, long events, Instant firstAt, Instant lastAt) {}

    /** A member by its own word. */
    public record MemberStatus(
            String name, Instant startedAt, Duration silent, Totals totals, Lag lag, Optional<String> trouble) {

        /** Whether it has said nothing for longer than {@link #GONE}: it crashed, or can not reach the database. */
        public boolean isGone() {
            return silent.compareTo(GONE) > 0;
        }
    }

    /** Since it started. */
    public record Totals(long handled, long skipped, long retried, long dead) {}

    /** From emit to handled, and how long handlers take, of late. */
    public record Lag(Duration p50, Duration p99, Duration handlerP99) {}

    private record Row(ConsumerStatus consumer, @Nullable MemberStatus member) {}

    private final DataSource database;
    private final Schema schema;
    private final Signature signature;

    public PostgresConsumerDesk(DataSource database, Schema schema) {
        this(database, schema, Signature.OF_LOGIN);
    }

    private PostgresConsumerDesk(DataSource database, Schema schema, Signature signature) {
        this.database = database;
        this.schema = schema;
        this.signature = signature;
    }

    /** The same, and what it changes is recorded in the name of this caller. */
    public PostgresConsumerDesk as(String who) {
        return new PostgresConsumerDesk(database, schema, new Signature(who));
    }

    /** Every consumer with its members, by name. */
    public List<ConsumerStatus> list() {
        ConsumerInspection inspection = new ConsumerInspection(database, schema);
        Map<String, List<Unhandled>> unhandled = new HashMap<>();
        inspection
                .unhandled()
                .forEach(one -> unhandled
                        .computeIfAbsent(one.consumer(), name -> new ArrayList<>())
                        .add(new Unhandled(one.type(), one.events(), one.firstAt(), one.lastAt())));
        Map<String, Long> handedOver = new HashMap<>();
        inspection.handovers().forEach(one -> handedOver.put(one.consumer(), one.events()));
        Map<String, ConsumerStatus> consumers = new LinkedHashMap<>();
        for (Row row : new Looks(database, schema)
                .query("inspect_consumers", none -> {}, result -> row(result, unhandled, handedOver))) {
            ConsumerStatus known = consumers.computeIfAbsent(row.consumer().name(), name -> row.consumer());
            if (row.member() != null) {
                known.members().add(row.member());
            }
        }
        return List.copyOf(consumers.values());
    }

    /** Its members take nothing more, within seconds; false if that was so already. */
    public boolean pause(String consumer, @Nullable String reason) {
        return set(consumer, true, reason);
    }

    /** Its members go on; false if they were not paused. */
    public boolean resume(String consumer, @Nullable String reason) {
        return set(consumer, false, reason);
    }

    private boolean set(String consumer, boolean paused, @Nullable String reason) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = signature.prepare(connection, Sql.load("pause_consumer", schema))) {
            connection.setAutoCommit(true);
            new Parameters(statement)
                    .name("consumer name", consumer)
                    .value(paused)
                    .remark(reason);
            try (ResultSet row = signature.run(statement)) {
                row.next();
                return row.getBoolean(1);
            }
        } catch (SQLException failed) {
            throw OperatorErrors.translate("pause or resume a consumer of schema", schema, failed);
        }
    }

    private static Row row(ResultSet row, Map<String, List<Unhandled>> unhandled, Map<String, Long> handedOver)
            throws SQLException {
        String name = row.getString("name");
        ConsumerStatus consumer = new ConsumerStatus(
                name,
                Looks.time(row, "created_at"),
                Looks.optionalTime(row, "paused_at"),
                row.getLong("letters"),
                new ArrayList<>(),
                unhandled.getOrDefault(name, List.of()),
                handedOver.getOrDefault(name, 0L));
        String member = row.getString("member");
        return new Row(consumer, member == null ? null : member(member, row));
    }

    private static MemberStatus member(String name, ResultSet row) throws SQLException {
        return new MemberStatus(
                name,
                Looks.time(row, "started_at"),
                millis(row.getDouble("silent_seconds") * 1000),
                new Totals(row.getLong("handled"), row.getLong("skipped"), row.getLong("retried"), row.getLong("dead")),
                new Lag(
                        millis(row.getDouble("lag_p50_ms")),
                        millis(row.getDouble("lag_p99_ms")),
                        millis(row.getDouble("handler_p99_ms"))),
                Looks.text(row, "trouble"));
    }

    private static Duration millis(double millis) {
        return Duration.ofNanos((long) (millis * 1e6));
    }
}
