package dev.posthorn.examples.transfers;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.LoggedJvm;
import dev.posthorn.transports.snssqs.AwsAccess;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Assumptions;

/** The servers and tables that the example needs. */
final class Bank implements AutoCloseable {

    static final String REGION = "eu-central-1";

    private final EmbeddedPostgres postgres;
    private final EmbeddedSnsSqs broker;
    private final HikariDataSource pool;
    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Directory directory;
    private final Cts cts;

    private Bank(EmbeddedPostgres postgres, EmbeddedSnsSqs broker) {
        this.postgres = postgres;
        this.broker = broker;
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(postgres.jdbcUrl());
        hikari.setMaximumPoolSize(60);
        this.pool = new HikariDataSource(hikari);
        this.directory = new Directory(pool, outbox);
        this.cts = new Cts(outbox, new RouteCache(directory::railTo));
    }

    /** Skips the test where the emulator can not be had; on a CI machine that is a failure. */
    static Bank open() throws SQLException {
        EmbeddedSnsSqs.obstacle().ifPresent(why -> {
            if ("true".equals(System.getenv("CI"))) {
                Assertions.fail(why);
            }
            System.out.println("The example of transfers is not tested: " + why);
            Assumptions.abort(why);
        });
        Bank bank = new Bank(EmbeddedPostgres.builder().unsafeFast().start(), EmbeddedSnsSqs.start());
        new Migrations(Schema.DEFAULT).migrate(bank.pool);
        Tables.create(bank.pool);
        bank.run("CREATE ROLE gateway LOGIN SUPERUSER");
        return bank;
    }

    HikariDataSource pool() {
        return pool;
    }

    Outbox outbox() {
        return outbox;
    }

    Directory directory() {
        return directory;
    }

    Cts cts() {
        return cts;
    }

    EmbeddedSnsSqs broker() {
        return broker;
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    SnsSqsTransport transport() {
        return new SnsSqsTransport(Profile.topology(
                AwsAccess.in(REGION).endpoint(broker.endpoint()).credentials("test", "test")));
    }

    /** The gateway itself creates nothing. */
    void makeQueue(SnsSqsTransport transport) {
        Profile.consumer(transport, Service.GATEWAY, pool, EventHandler.of((event, connection) -> {}))
                .close();
    }

    LoggedJvm gateway() throws IOException {
        return LoggedJvm.start(GatewayMain.class, variables("gateway", "gateway-usdc", Map.of()));
    }

    /** The transfer service as a process of this name, whose queue is there already. */
    LoggedJvm cts(String instance) throws IOException {
        return LoggedJvm.start(
                CtsMain.class, variables("postgres", "routes-" + instance, Map.of("INSTANCE", instance)));
    }

    private Map<String, String> variables(String user, String queue, Map<String, String> more) {
        Map<String, String> variables = new HashMap<>(more);
        variables.put("SNS_ARN", "arn:aws:sns:" + REGION + ":" + broker.account() + ":" + Profile.TOPIC + ".fifo");
        variables.put("QUEUE_URL", broker.endpoint() + "/" + broker.account() + "/" + queue + ".fifo");
        variables.put("PG_DSN", "host=127.0.0.1 port=" + postgres.port() + " dbname=postgres user=" + user);
        variables.put("AWS_REGION", REGION);
        variables.put("AWS_ENDPOINT_URL", broker.endpoint().toString());
        variables.put("AWS_ACCESS_KEY_ID", "test");
        variables.put("AWS_SECRET_ACCESS_KEY", "test");
        variables.put("VISIBILITY_TIMEOUT", "4");
        return variables;
    }

    /** A connection that the gateway's sessions are not ended with. */
    Connection locker() throws SQLException {
        return DriverManager.getConnection(postgres.jdbcUrl());
    }

    boolean gatewayWaits() {
        return !one("SELECT count(*) FROM pg_stat_activity WHERE usename = 'gateway' AND wait_event_type = 'Lock'")
                .equals("0");
    }

    void endSessionsOfTheGateway() {
        Await.until(
                "the gateway's sessions to end",
                () -> one("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = 'gateway'")
                        .equals("0"));
    }

    UUID submit() throws SQLException {
        return submit(new Transfer("tr_" + UUID.randomUUID(), "tnt_123", "100.00", "payer-abc", "0xfeed"));
    }

    UUID submit(Transfer transfer) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            UUID event = cts.submit(connection, transfer);
            connection.commit();
            return event;
        }
    }

    void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    /** The first column of the first row. */
    String one(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        pool.close();
        broker.close();
        postgres.close();
    }
}
