package dev.posthorn.examples.holdco;

import com.rabbitmq.client.Channel;
import com.rabbitmq.client.ConnectionFactory;
import com.rabbitmq.client.GetResponse;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq.User;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.ReplayLoop;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import java.io.IOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeoutException;

/** The whole of it: a Postgres, a RabbitMQ, the relay and the five consumers; and a queue of ours that gets all messages. */
final class HoldcoHarness implements AutoCloseable {

    private static final String PROBE = "probe";

    final EmbeddedPostgres postgres = EmbeddedPostgres.builder().unsafeFast().start();
    final EmbeddedRabbitMq broker = EmbeddedRabbitMq.start();
    final HikariDataSource pool;
    final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    final Holdco holdco = new Holdco(outbox);
    private final RabbitMqTransport transport;
    private final List<Consumer<Connection>> consumers = new ArrayList<>();
    private final Relay relay;
    private final ReplayLoop replaying;
    private final com.rabbitmq.client.Connection client;
    private final Channel channel;

    HoldcoHarness() throws SQLException, IOException, TimeoutException {
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(postgres.jdbcUrl());
        hikari.setMaximumPoolSize(30);
        pool = new HikariDataSource(hikari);
        new Migrations(Schema.DEFAULT).migrate(pool);
        Holdco.createTables(pool);
        Endpoint endpoint = Endpoint.of(
                broker.host() + ":" + broker.port(), new Endpoint.Login(User.ADMIN.name(), User.ADMIN.password()));
        transport = new RabbitMqTransport(Topology.at(endpoint));
        for (Queue queue : Queue.values()) {
            consumers.add(HoldcoConsumer.start(transport, queue, HoldcoConsumer.equipment(pool)));
        }
        client = connect();
        channel = client.createChannel();
        channel.queueDeclare(PROBE, false, false, true, null);
        channel.queueBind(PROBE, "holdco.events", "#");
        relay = HoldcoRelay.start(pool, transport.publisher(), "test");
        replaying = Replays.serve(pool, transport.publisher(), "test");
    }

    private com.rabbitmq.client.Connection connect() throws IOException, TimeoutException {
        ConnectionFactory factory = new ConnectionFactory();
        factory.setHost(broker.host());
        factory.setPort(broker.port());
        factory.setUsername(User.ADMIN.name());
        factory.setPassword(User.ADMIN.password());
        return factory.newConnection();
    }

    /** The next message of all, as RabbitMQ's own client reads it. */
    GetResponse nextMessage() {
        return nextMessage(PROBE);
    }

    GetResponse nextMessage(String queue) {
        GetResponse[] found = new GetResponse[1];
        Await.until("a message in " + queue, () -> {
            try {
                found[0] = channel.basicGet(queue, true);
                return found[0] != null;
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        });
        return found[0];
    }

    void transact(Work work) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            work.run(connection);
            connection.commit();
        }
    }

    interface Work {
        void run(Connection connection) throws SQLException;
    }

    /** The only column of the only row. */
    String one(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            return row.next() ? String.valueOf(row.getString(1)) : "";
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Override
    public void close() throws IOException {
        replaying.close();
        relay.close();
        consumers.forEach(Consumer::close);
        client.close();
        transport.close();
        pool.close();
        broker.close();
        postgres.close();
    }
}
