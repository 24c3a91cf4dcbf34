package dev.posthorn.consoletests;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import dev.posthorn.deadletter.Cause;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.DeadLetterException;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * What all tests share: a database, RabbitMQ, a relay process with its console, a consumer and a browser.
 *
 * <p>The route {@code main} takes the domains shop and lost to RabbitMQ. Nobody receives lost, so its events are dead after one attempt and hold
 * their keys. The consumer ledger handles shop, and gives up what is called {@code order.refused}. The route {@code audit} goes to a file.
 */
final class Stage implements AutoCloseable {

    static final Path CHROMIUM = Path.of("/usr/bin/chromium");
    static final String TOKEN = "-token-of-this-test";

    static final List<String> QUIETLY = List.of(
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync");

    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Path folder;
    private final String url;
    private final EmbeddedRabbitMq broker;
    private final Browser browser;
    private final RelayUnderTest relay;

    Stage() {
        try {
            folder = Files.createTempDirectory("console-tests");
            EmbeddedPostgres postgres =
                    opened(EmbeddedPostgres.builder().unsafeFast().start());
            url = postgres.createDatabase("shop");
            database.setUrl(url);
            new Migrations(Schema.DEFAULT).migrate(database);
            broker = opened(EmbeddedRabbitMq.start());
            RabbitMqTransport bus =
                    opened(new RabbitMqTransport(RabbitMqConfig.of(Endpoint.parse(brokerAddress()), "posthorn")));
            opened(Consumer.start(
                    bus,
                    ConsumerConfig.of(Subscriber.named("ledger").domains("shop")),
                    handlers(),
                    PostgresInbox.equipment(database, Schema.DEFAULT)));
            relay = opened(startRelay("127.0.0.1:0", tokens()));
            Playwright playwright = opened(Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))));
            browser = opened(playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(CHROMIUM)
                            .setChromiumSandbox(false)
                            .setArgs(QUIETLY)));
        } catch (IOException failed) {
            close();
            throw new UncheckedIOException(failed);
        } catch (RuntimeException | Error failed) {
            close();
            throw failed;
        }
    }

    private <T extends AutoCloseable> T opened(T one) {
        running.push(one);
        return one;
    }

    private String brokerAddress() {
        return "amqp://admin:admin@127.0.0.1:" + broker.port();
    }

    private static Handlers<Connection> handlers() {
        return Handlers.<Connection>none()
                .on("order.placed", "book", EventHandler.of((event, connection) -> {}))
                .on("order.refused", "refund", EventHandler.of((event, connection) -> {
                    throw new DeadLetterException(new Cause.Rejected("account 4711 is closed"));
                }));
    }

    /** One more process on the same database and broker, with a name of its own. */
    RelayUnderTest startRelay(String address, String tokens) {
        return RelayUnderTest.start(folder, """
                registry: {file: '%s', mode: 'off'}
                database: {url: '%s'}
                transports:
                  broker: {address: '%s'}
                  file: {address: 'file:%s/events.ndjson'}
                routes:
                  main: {transport: broker, domains: [shop, lost], start: beginning, after-dead: hold, retry: {policy: fixed, max-attempts: 1}}
                  audit: {transport: file, domains: [audit], start: beginning}
                http:
                  address: %s
                  figures-every: 1s
                %s""".formatted(types(), url, brokerAddress(), folder, address, tokens));
    }

    /** Told and never asked, so that other tests emit what they like. */
    private Path types() {
        try {
            return Files.writeString(folder.resolve("types.yaml"), """
                    types:
                      - {domain: shop, type: order.placed, aggregate: order}
                      - {domain: shop, type: order.refused, version: 2, payload: optional, retry: fixed}
                    """);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    /** A token for each role, as a part of a configuration. */
    static String tokens() {
        StringBuilder yaml = new StringBuilder("  tokens:\n");
        for (String role : List.of("viewer", "operator", "admin")) {
            yaml.append("    %s: {role: %s, sha256: %s}%n"
                    .formatted((role.startsWith("v") ? "a-" : "an-") + role, role, sha256(role + TOKEN)));
        }
        return yaml.toString();
    }

    private static String sha256(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    Browser browser() {
        return browser;
    }

    String address() {
        return relay.address();
    }

    EmbeddedRabbitMq broker() {
        return broker;
    }

    Event emit(Event event) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, event);
            connection.commit();
            return event;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    void run(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The first column of every row. */
    List<String> rows(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            List<String> found = new ArrayList<>();
            while (row.next()) {
                found.add(String.valueOf(row.getString(1)));
            }
            return found;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    long number(String sql) {
        return Long.parseLong(rows(sql).get(0));
    }

    /** The last first. */
    @Override
    public void close() {
        while (!running.isEmpty()) {
            try {
                running.pop().close();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
