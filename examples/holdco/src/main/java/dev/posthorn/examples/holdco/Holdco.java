package dev.posthorn.examples.holdco;

import dev.posthorn.codecs.AggregateEnvelope;
import dev.posthorn.codecs.Envelope;
import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SeedViews;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * The business: each change of an aggregate writes its row, its history and its event in one transaction.
 *
 * <p>The row is locked first, so the events of an aggregate are serialised, and each carries the aggregate's version in its
 * payload: 1, 2, 3 without a gap. Thread-safe; a connection is not.
 */
public final class Holdco {

    /** The service's own schema; the views event_outbox and event_inbox lie there too. */
    public static final Schema SCHEMA = new Schema("holdco");

    /** All its events are of this domain; the route takes these and leaves whatever else is in the log. */
    public static final String DOMAIN = "holdco";

    /** The body of every message. */
    public static final Envelope ENVELOPE = new AggregateEnvelope(DOMAIN);

    private static final String TABLE = """
            CREATE TABLE IF NOT EXISTS holdco.{table} (
              id            uuid          PRIMARY KEY,
              group_id      uuid          NOT NULL,
              subsidiary_id uuid,
              state         text          NOT NULL,
              amount        numeric(12,2) NOT NULL,
              version       bigint        NOT NULL
            ) WITH (fillfactor = 50)
            """;

    private static final String HISTORY = """
            CREATE TABLE IF NOT EXISTS holdco.history (
              aggregate_type text   NOT NULL,
              aggregate_id   uuid   NOT NULL,
              version        bigint NOT NULL,
              event_type     text   NOT NULL,
              event_id       uuid   NOT NULL,
              PRIMARY KEY (aggregate_id, version)
            )
            """;

    private static final String CHANGE = """
            INSERT INTO holdco.{table} AS a (id, group_id, subsidiary_id, state, amount, version)
            VALUES (?, ?, ?, ?, ?::numeric, 1)
            ON CONFLICT (id) DO UPDATE SET state = excluded.state, amount = excluded.amount, version = a.version + 1
            RETURNING version
            """;

    private static final String REMEMBER = """
            INSERT INTO holdco.history (aggregate_type, aggregate_id, version, event_type, event_id)
            VALUES (?, ?, ?, ?, ?)
            """;

    /** As the service wrote it before Posthorn was there. */
    private static final String INSERT_INTO_VIEW = """
            INSERT INTO holdco.event_outbox (
              id, group_id, subsidiary_id, aggregate_type, aggregate_id, event_type, payload, status, available_at, attempts)
            VALUES (?, ?, ?, ?, ?, ?, ?::jsonb, 'pending', now(), 0)
            """;

    private final Outbox outbox;

    public Holdco(Outbox outbox) {
        this.outbox = outbox;
    }

    /** Makes the tables, those of the effects, and the views over a log that is there already. */
    public static void createTables(DataSource database) throws SQLException {
        SeedViews.holdco(Schema.DEFAULT, SCHEMA).create(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            for (Aggregate aggregate : Aggregate.values()) {
                statement.execute(TABLE.replace("{table}", aggregate.table()));
            }
            statement.execute(HISTORY);
            for (Queue queue : Queue.values()) {
                statement.execute(queue.createTable());
            }
        }
    }

    /**
     * Lets something happen to an aggregate, which is made if it is not there, in the connection's transaction.
     *
     * @return the event's id
     */
    public UUID change(Connection connection, Tenant tenant, Aggregate aggregate, UUID id, String eventType)
            throws SQLException {
        String amount = amountOf(id);
        long version = write(connection, tenant, aggregate, id, new Change(eventType, amount));
        String payload = "{\"amount\": \"" + amount + "\", \"version\": " + version + "}";
        Event event = event(tenant, aggregate, id, eventType, payload);
        remember(connection, event, version);
        switch (aggregate.way()) {
            case OUTBOX -> outbox.emit(connection, event);
            case VIEW -> insertIntoView(connection, tenant, event, payload);
        }
        return event.id();
    }

    private record Change(String state, String amount) {}

    private static String amountOf(UUID id) {
        return Math.floorMod(id.getLeastSignificantBits(), 1_000_000) + ".00";
    }

    private static long write(Connection connection, Tenant tenant, Aggregate aggregate, UUID id, Change change)
            throws SQLException {
        String sql = CHANGE.replace("{table}", aggregate.table());
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setObject(1, id);
            statement.setObject(2, tenant.group());
            statement.setObject(3, tenant.subsidiary());
            statement.setString(4, change.state());
            statement.setString(5, change.amount());
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return row.getLong(1);
            }
        }
    }

    // docs:start:holdco-event
    private static Event event(Tenant tenant, Aggregate aggregate, UUID id, String type, String payload) {
        EventBuilder event = Event.of(DOMAIN, type)
                .aggregate(aggregate.type(), id.toString())
                .key(id.toString())
                .tenant(tenant.group().toString())
                .json(payload);
        if (tenant.subsidiary() != null) {
            event.header("subsidiary-id", tenant.subsidiary().toString());
        }
        return event.build();
    }
    // docs:end:holdco-event

    private static void remember(Connection connection, Event event, long version) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(REMEMBER)) {
            statement.setString(1, event.aggregateType().orElseThrow());
            statement.setObject(2, UUID.fromString(event.aggregateId().orElseThrow()));
            statement.setLong(3, version);
            statement.setString(4, event.type());
            statement.setObject(5, event.id());
            statement.executeUpdate();
        }
    }

    private static void insertIntoView(Connection connection, Tenant tenant, Event event, String payload)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(INSERT_INTO_VIEW)) {
            statement.setObject(1, event.id());
            statement.setObject(2, tenant.group());
            statement.setObject(3, tenant.subsidiary());
            statement.setString(4, event.aggregateType().orElseThrow());
            statement.setObject(5, UUID.fromString(event.aggregateId().orElseThrow()));
            statement.setString(6, event.type());
            statement.setString(7, payload);
            statement.executeUpdate();
        }
    }
}
