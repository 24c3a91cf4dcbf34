package dev.posthorn.consoletests;

import com.microsoft.playwright.Browser;
import com.microsoft.playwright.BrowserType;
import com.microsoft.playwright.Playwright;
import dev.posthorn.consoletests.Surfaces.Figures;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.server.Main;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.rabbitmq.Endpoint;
import dev.posthorn.transports.rabbitmq.RabbitMqConfig;
import dev.posthorn.transports.rabbitmq.RabbitMqTransport;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A database, a broker, a relay process, a process that observes, and a browser; with what can happen to them. */
final class ObservedSystem implements AutoCloseable {

    /** Without a limit a frozen server would be waited for. */
    private static final int PATIENCE_SECONDS = 3;

    private static final Duration LEASE = Duration.ofSeconds(3);

    private final Deque<AutoCloseable> running = new ArrayDeque<>();
    private final PGSimpleDataSource database = new PGSimpleDataSource();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Path folder;
    private final String url;
    private final EmbeddedPostgres postgres;
    private final EmbeddedRabbitMq broker;
    private final RelayUnderTest observer;
    private final Browser browser;
    private @Nullable RelayUnderTest relay;
    private List<Figures> known = List.of();
    private boolean answers = true;

    ObservedSystem() {
        try {
            folder = Files.createTempDirectory("truth");
            postgres = opened(EmbeddedPostgres.builder().unsafeFast().start());
            url = postgres.createDatabase("shop");
            database.setUrl(url);
            database.setSocketTimeout(PATIENCE_SECONDS);
            new Migrations(Schema.DEFAULT).migrate(database);
            broker = opened(EmbeddedRabbitMq.start());
            bind("shop");
            startRelay();
            observer = opened(start("""
                      audit: {transport: file, domains: [audit], start: beginning}
                      spare: {transport: file, domains: [spare], start: beginning}
                    """));
            Playwright playwright = opened(Playwright.create(
                    new Playwright.CreateOptions().setEnv(Map.of("PLAYWRIGHT_SKIP_BROWSER_DOWNLOAD", "1"))));
            browser = opened(playwright
                    .chromium()
                    .launch(new BrowserType.LaunchOptions()
                            .setExecutablePath(Stage.CHROMIUM)
                            .setChromiumSandbox(false)
                            .setArgs(Stage.QUIETLY)));
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

    private RelayUnderTest start(String routes) {
        return RelayUnderTest.start(folder, """
                database: {url: '%s'}
                relay: {lease-ttl: 3s}
                transports:
                  broker: {address: 'amqp://admin:admin@127.0.0.1:%d'}
                  file: {address: 'file:%s/events.ndjson'}
                routes:
                %s
                http:
                  address: 127.0.0.1:0
                  figures-every: 1s
                %s""".formatted(url, broker.port(), folder, routes, Stage.tokens()));
    }

    String token() {
        return "admin" + Stage.TOKEN;
    }

    Browser browser() {
        return browser;
    }

    EmbeddedPostgres postgres() {
        return postgres;
    }

    EmbeddedRabbitMq broker() {
        return broker;
    }

    RelayUnderTest observer() {
        return observer;
    }

    /** While it runs. */
    Optional<RelayUnderTest> relay() {
        return Optional.ofNullable(relay);
    }

    /** Whether the database can be asked. */
    boolean answers() {
        return answers;
    }

    void startRelay() {
        relay = opened(start("""
                  main: {transport: broker, domains: [shop, lost], start: beginning, after-dead: hold, retry: {policy: fixed, max-attempts: 1}}
                  slow: {transport: broker, domains: [slow], start: beginning, retry: {policy: fixed, pause: 1h, max-attempts: 5}}
                """));
    }

    /** As by kill -9: its lanes are free when their lease has run out. */
    void killRelay() throws InterruptedException {
        relay().ifPresent(RelayUnderTest::close);
        relay = null;
        awaitLeasesRunOut();
    }

    /** Nothing tells that a lease has run out but the time. */
    void awaitLeasesRunOut() throws InterruptedException {
        Thread.sleep(LEASE.toMillis());
    }

    /** Returns when the relay has seen it, or it would publish what comes next. */
    void pause() {
        String unused = command("routes", "pause", "main", "--reason", "truth");
        Await.until(
                "the relay has seen the pause",
                () -> relay().map(one -> get(one, "/v1/health")).orElse("").contains("paused"));
    }

    /** Until nothing waits on route main but what is behind its held key. */
    void awaitDrained() {
        Await.until(
                "route main is drained",
                () -> look().stream().anyMatch(one -> one.route().equals("main") && one.waiting() <= 1));
    }

    /** Until every lane of every route that is not retired has a relay again. */
    void awaitLanes() {
        Await.until(
                "every lane has a relay",
                () -> number(
                                "SELECT count(*) FROM posthorn.lease AS l JOIN posthorn.route AS r"
                                        + " ON r.id = l.route WHERE r.retired_at IS NULL AND (l.owner IS NULL OR l.expires_at < now())")
                        == 0);
    }

    void readOnly(boolean isReadOnly) {
        run("ALTER SYSTEM SET default_transaction_read_only = " + (isReadOnly ? "on" : "off"));
        run("SELECT pg_reload_conf()");
    }

    void freezeDatabase() {
        answers = false;
        postgres.freeze();
    }

    void thawDatabase() {
        postgres.thaw();
        answers = true;
    }

    void killDatabase() {
        answers = false;
        postgres.kill();
    }

    void restartDatabase() {
        postgres.restart(StopMode.FAST);
        answers = true;
    }

    /** A queue that takes the events of this domain, and nobody who empties it. */
    private void bind(String domain) {
        RabbitMqConfig config =
                RabbitMqConfig.of(Endpoint.parse("amqp://admin:admin@127.0.0.1:" + broker.port()), "posthorn");
        try (RabbitMqTransport bus = new RabbitMqTransport(config)) {
            Consumer.start(
                            bus,
                            ConsumerConfig.of(Subscriber.named("ledger").domains(domain)),
                            Handlers.<Connection>none()
                                    .on("happened", "note", EventHandler.of((event, connection) -> {})),
                            PostgresInbox.equipment(database, Schema.DEFAULT))
                    .close();
        }
        run("DELETE FROM posthorn.consumer_member");
        run("DELETE FROM posthorn.consumer");
    }

    void emit(String domain, int events) {
        for (int i = 0; i < events; i++) {
            emitOfKey(domain, UUID.randomUUID().toString(), 1);
        }
    }

    void emitOfKey(String domain, String key, int events) {
        run("SELECT posthorn.emit('" + domain + "', 'happened', '{}'::text, '" + key + "') FROM generate_series(1, "
                + events + ")");
    }

    void emitLater(String domain, String key) {
        run("INSERT INTO posthorn.outbox (domain, type, key, deliver_after) VALUES ('" + domain + "', 'happened', '"
                + key + "', now() + interval '1 hour')");
    }

    void dieInConsumer() {
        consumerReports("now()", 1);
        run("SELECT posthorn.keep_letter(ROW('" + UUID.randomUUID()
                + "', NULL, NULL, 'billing', 'bill', 'consumer', 'test',"
                + " gen_random_uuid(), 'shop', 'happened', 'b', NULL, 'rejected', 'no account', '{}', NULL, 'fix it', 3, NULL,"
                + " NULL, '{}', 'x', '{}', clock_timestamp(), NULL)::posthorn.dead_letter)");
    }

    /** A member of consumer billing said so, at that time. */
    void consumerReports(String seenAt, int lagMillis) {
        run("SELECT posthorn.report_consumer(ROW('billing', 'one', NULL, NULL, 7, 1, 2, 3, 4.5, " + lagMillis
                + ", 2.5, NULL)::posthorn.consumer_member)");
        run("UPDATE posthorn.consumer_member SET seen_at = " + seenAt);
    }

    void startReplay() {
        String answer =
                command("replay", "start", "--route", "main", "--domain", "shop", "--rate", "1", "--reason", "truth");
        if (answer.contains("ERROR")) {
            throw new AssertionError(answer);
        }
    }

    private void run(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    private long number(String sql) {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    /** What a command said, wherever it said it. */
    String command(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.addAll(List.of("--database-url", url));
        StringWriter said = new StringWriter();
        int unused = Main.run(all, new PrintWriter(said), new PrintWriter(said));
        return said.toString();
    }

    String get(RelayUnderTest process, String path) {
        try {
            return client.send(
                            HttpRequest.newBuilder(URI.create(process.address() + path))
                                    .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
                                    .header("Authorization", "Bearer " + token())
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        } catch (IOException failed) {
            return "no answer: " + failed;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** What the log's own view of every event adds up to; while the database does not answer, what it was before. */
    List<Figures> ledger() {
        if (answers) {
            known = look();
        }
        return known;
    }

    private List<Figures> look() {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT r.name,"
                        + " count(*) FILTER (WHERE s.state IN ('PENDING', 'RETRYING', 'PARKED')),"
                        + " count(*) FILTER (WHERE s.state = 'FAILED'), count(*) FILTER (WHERE s.state = 'DELAYED')"
                        + " FROM posthorn.route AS r LEFT JOIN posthorn.outbox_status AS s ON s.route = r.name"
                        + " WHERE r.retired_at IS NULL GROUP BY r.name ORDER BY r.name")) {
            List<Figures> found = new ArrayList<>();
            while (row.next()) {
                found.add(new Figures(row.getString(1), row.getLong(2), row.getLong(3), row.getLong(4)));
            }
            return found;
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    /** The last first. */
    @Override
    public void close() {
        if (!answers) {
            postgres.thaw();
        }
        while (!running.isEmpty()) {
            try {
                running.pop().close();
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
        }
    }
}
