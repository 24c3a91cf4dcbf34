package dev.posthorn.transports.postgreslog;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** A server of its own, with a schema for each prefix. */
final class PostgresBroker implements TestBroker {

    private static final int DEAD_SHOWN = 100;

    private final EmbeddedPostgres server = EmbeddedPostgres.builder()
            .setting("fsync", "off") // a killed process loses nothing by that; only a killed machine does
            .setting("full_page_writes", "off")
            .start();
    private final Forwarder network = Forwarder.to(server.port());
    private final Map<String, Schema> schemas = new HashMap<>();
    private final List<Schema> notMigrated = new ArrayList<>();
    private boolean killed;
    private final List<HikariDataSource> pools = new ArrayList<>();
    private final HikariDataSource own = pool();

    @Override
    public Bus open(String prefix) {
        return PostgresLogTransport.over(database(prefix), config(prefix));
    }

    static PostgresLogConfig config(String prefix) {
        return PostgresLogConfig.standard()
                .withPrefix(prefix)
                .withRelay(RelayConfig.standard()
                        .withLeaseTtl(Duration.ofSeconds(3))
                        .withIdlePoll(Duration.ofMillis(50)))
                .withAnswerTime(Duration.ofSeconds(5));
    }

    LogDatabase database(String prefix) {
        return database(prefix, pool());
    }

    private LogDatabase database(String prefix, HikariDataSource pool) {
        Schema schema = schemaOf(prefix);
        return new LogDatabase(pool, outbox(prefix), PostgresRouteStores.of(pool, schema));
    }

    Outbox outbox(String prefix) {
        return new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(schemaOf(prefix)));
    }

    Schema schemaOf(String prefix) {
        return schemas.computeIfAbsent(prefix, any -> {
            Schema schema = new Schema(prefix);
            if (killed) {
                notMigrated.add(schema);
            } else {
                new Migrations(schema).besideOtherLogs().migrate(own);
            }
            return schema;
        });
    }

    HikariDataSource pool() {
        return pool(server.jdbcUrl());
    }

    private HikariDataSource pool(String url) {
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(url + "&connectTimeout=2&loginTimeout=2&socketTimeout=30");
        hikari.setMaximumPoolSize(25);
        hikari.setMinimumIdle(0);
        hikari.setIdleTimeout(10_000);
        hikari.setConnectionTimeout(2_000);
        hikari.setValidationTimeout(1_000);
        hikari.setInitializationFailTimeout(-1);
        // Asked for with a pool's first connection; if that is lost just then, the pool never works again.
        hikari.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
        HikariDataSource pool = new HikariDataSource(hikari);
        pools.add(pool);
        return pool;
    }

    HikariDataSource own() {
        return own;
    }

    EmbeddedPostgres server() {
        return server;
    }

    @Override
    public Bus openLenient(String prefix) {
        return open(prefix);
    }

    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        return false;
    }

    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        Schema schema = schemaOf(prefix);
        return new PostgresInspection(own, schema)
                .dead(config(prefix).routeOf(subscriber), null, DEAD_SHOWN).stream()
                        .map(dead -> payloadOf(schema, dead.id()))
                        .toList();
    }

    private byte[] payloadOf(Schema schema, UUID event) {
        try (Connection connection = own.getConnection();
                PreparedStatement read = connection.prepareStatement(
                        "SELECT payload FROM \"" + schema.name() + "\".outbox WHERE id = ?")) {
            read.setObject(1, event);
            try (ResultSet row = read.executeQuery()) {
                row.next();
                return row.getBytes(1);
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        return List.of();
    }

    @Override
    public Optional<BrokerFaults> faults() {
        return Optional.of(new BrokerFaults() {
            @Override
            public void kill() {
                server.kill();
                killed = true;
            }

            @Override
            public void start() {
                server.restart(StopMode.IMMEDIATE);
                killed = false;
                notMigrated.forEach(
                        schema -> new Migrations(schema).besideOtherLogs().migrate(own));
                notMigrated.clear();
            }

            @Override
            public void freeze() {
                server.freeze();
            }

            @Override
            public void thaw() {
                server.thaw();
            }

            @Override
            public Optional<Forwarder> network() {
                return Optional.of(network);
            }

            @Override
            public Bus openThroughNetwork(String prefix) {
                return PostgresLogTransport.over(
                        database(
                                prefix,
                                pool(server.jdbcUrl().replace(":" + server.port() + "/", ":" + network.port() + "/"))),
                        config(prefix));
            }
        });
    }

    @Override
    public void close() {
        pools.forEach(HikariDataSource::close);
        network.close();
        server.close();
    }
}
