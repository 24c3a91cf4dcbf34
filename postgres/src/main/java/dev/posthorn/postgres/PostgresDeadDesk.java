package dev.posthorn.postgres;

import dev.posthorn.postgres.DeadEntry.Station;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where an operator finds all that is dead, on routes and in consumers, and decides about it.
 *
 * <p>Looking needs the rights of a {@link RoleKind#VIEWER}; {@link #show}, which shows payloads, and deciding need those of an
 * {@link RoleKind#OPERATOR}. Memory grows with the limit that a caller names, never with how much is dead. Thread-safe.
 */
public final class PostgresDeadDesk {

    /** Before the first: no letter has it. */
    private static final UUID NO_LETTER = new UUID(0, 0);

    /** How much is dead, by station, and the last place of each. */
    record Count(long onRoutes, long inConsumers, long lastOnRoutes, long lastInConsumers) {}

    private static final int MOST_SHOWN = 20;

    private final DataSource database;
    private final Schema schema;
    private final Looks looks;
    private final Signature signature;

    public PostgresDeadDesk(DataSource database, Schema schema) {
        this(database, schema, Signature.OF_LOGIN);
    }

    private PostgresDeadDesk(DataSource database, Schema schema, Signature signature) {
        this.database = database;
        this.schema = schema;
        this.looks = new Looks(database, schema);
        this.signature = signature;
    }

    /** The same, and what it changes is recorded in the name of this caller. */
    public PostgresDeadDesk as(String who) {
        return new PostgresDeadDesk(database, schema, new Signature(who));
    }

    /** What is dead, oldest first: after one that was found before, or from the beginning with null. */
    public List<DeadEntry> list(DeadFilter filter, @Nullable DeadEntry after, int limit) {
        return looks.query(
                "dead_list",
                bind -> {
                    bind.text("filter", facts(filter));
                    for (Station unused : Station.values()) {
                        bindBranch(bind, filter, after).value(limit);
                    }
                    bind.value(limit);
                },
                PostgresDeadDesk::entry);
    }

    /** How much is dead. Reads all of it. */
    public long count(DeadFilter filter) {
        Count count = counted(filter);
        return count.onRoutes() + count.inConsumers();
    }

    Count counted(DeadFilter filter) {
        return looks.query(
                        "dead_count",
                        bind -> bind(bind, filter),
                        row -> new Count(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)))
                .get(0);
    }

    /** What is dead by the kind of its reason, the most frequent first. Reads all of it. */
    public List<DeadGroup> groups(DeadFilter filter, int limit) {
        return looks.query(
                "dead_groups",
                bind -> bind(bind, filter).value(limit),
                row -> new DeadGroup(
                        row.getString("cause"),
                        row.getString("fingerprint"),
                        row.getString("remedy"),
                        row.getLong("letters"),
                        Looks.time(row, "first_at"),
                        Looks.time(row, "last_at"),
                        row.getObject("example", UUID.class)));
    }

    /**
     * Whatever is known of a dead letter, or of an event that is dead: one for each route on which it is dead, and one for each
     * handler that gave it up, also if it was redriven or discarded since; at most 20 of each. Empty if there is none.
     *
     * @param preview how many bytes of each body are read
     */
    public List<WholeDeadLetter> show(UUID id, int preview) {
        List<WholeDeadLetter> found = new ArrayList<>(looks.query(
                "show_event",
                bind -> bind.value(preview).text("ID", id.toString()).value(MOST_SHOWN),
                PostgresDeadDesk::whole));
        found.addAll(looks.query(
                "show_letter",
                bind -> bind.value(preview)
                        .text("ID", id.toString())
                        .text("ID", id.toString())
                        .value(MOST_SHOWN),
                PostgresDeadDesk::whole));
        return found;
    }

    /** Returns the whole body of a consumer's dead letter, to be read in parts. */
    public LargeBytes body(UUID letter) {
        return new LargeBytes(looks, "letter_body_part", letter);
    }

    /**
     * Begins an entry of the audit for a decision about many, which the runs that {@link DeadRun#recordIn} names count into.
     * Returns its number.
     */
    public long beginBulk(DeadDecision decision, List<DeadFilter> filters, long total) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = signature.prepare(connection, Sql.load("begin_bulk", schema))) {
            new Parameters(statement)
                    .name("action", decision.verb().word())
                    .text("target", total + " dead letters" + described(filters))
                    .remark(decision.reason());
            try (ResultSet row = signature.run(statement)) {
                row.next();
                return row.getLong(1);
            }
        } catch (SQLException failed) {
            throw OperatorErrors.translate("record an action in schema", schema, failed);
        }
    }

    /** What they were found by; ids would be too many. */
    private static String described(List<DeadFilter> filters) {
        Map<String, String> facts = filters.size() == 1 ? filters.get(0).facts() : Map.of();
        return facts.isEmpty()
                ? ""
                : facts.entrySet().stream()
                        .map(fact -> fact.getKey() + " " + fact.getValue())
                        .collect(Collectors.joining(", ", ": ", ""));
    }

    /** Carries a decision out page by page, as far as the caller lets it. Nothing is done yet. */
    public DeadRun decide(DeadFilter filter, DeadDecision decision, int page) {
        return run(new DeadRun.Order(filter, decision, page, false));
    }

    /** The same, and nothing is changed. */
    public DeadRun tryOut(DeadFilter filter, DeadDecision decision, int page) {
        return run(new DeadRun.Order(filter, decision, page, true));
    }

    private DeadRun run(DeadRun.Order order) {
        return new DeadRun(database, schema, signature, order, counted(order.filter()));
    }

    private static Parameters bindBranch(Parameters bind, DeadFilter filter, @Nullable DeadEntry after)
            throws SQLException {
        OffsetDateTime at = after == null ? OffsetDateTime.MIN : utc(after.at());
        String letter = (after == null ? NO_LETTER : after.letter()).toString();
        return bind.value(at)
                .text("ID", letter)
                .value(since(filter))
                .value(until(filter))
                .value(at)
                .text("ID", letter)
                .text("name", after == null ? "" : after.where().name())
                .text("ID", id(filter));
    }

    private static String facts(DeadFilter filter) {
        String facts = HeadersJson.write("filter", filter.facts());
        return facts == null ? "{}" : facts;
    }

    private static @Nullable String id(DeadFilter filter) {
        return filter.id().map(UUID::toString).orElse(null);
    }

    /** Binds the four placeholders of a filter. */
    static Parameters bind(Parameters bind, DeadFilter filter) throws SQLException {
        return bind.text("filter", facts(filter))
                .text("ID", id(filter))
                .value(since(filter))
                .value(until(filter));
    }

    /** The driver writes these ends of time as infinity. */
    private static OffsetDateTime since(DeadFilter filter) {
        return filter.since().map(PostgresDeadDesk::utc).orElse(OffsetDateTime.MIN);
    }

    private static OffsetDateTime until(DeadFilter filter) {
        return filter.until().map(PostgresDeadDesk::utc).orElse(OffsetDateTime.MAX);
    }

    private static OffsetDateTime utc(Instant time) {
        return time.atOffset(ZoneOffset.UTC);
    }

    private static DeadEntry entry(ResultSet row) throws SQLException {
        return new DeadEntry(
                row.getObject("letter", UUID.class),
                new DeadEntry.Where(
                        Station.valueOf(row.getString("station").toUpperCase(Locale.ROOT)),
                        row.getString("name"),
                        row.getString("handler")),
                new DeadEntry.What(
                        Optional.ofNullable(row.getObject("event_id", UUID.class)),
                        Looks.text(row, "domain"),
                        Looks.text(row, "type"),
                        Looks.text(row, "key"),
                        Looks.text(row, "tenant")),
                new DeadEntry.Why(
                        row.getString("cause"),
                        row.getString("reason"),
                        row.getString("fingerprint"),
                        row.getString("remedy"),
                        row.getInt("attempts")),
                row.getBoolean("held"),
                Looks.time(row, "at"));
    }

    private static WholeDeadLetter whole(ResultSet row) throws SQLException {
        return new WholeDeadLetter(
                entry(row),
                row.getString("state"),
                Looks.map(row, "details"),
                Looks.map(row, "headers"),
                Optional.ofNullable(row.getBytes("body")).orElse(new byte[0]),
                row.getLong("body_size"),
                Looks.map(row, "metadata"));
    }
}
