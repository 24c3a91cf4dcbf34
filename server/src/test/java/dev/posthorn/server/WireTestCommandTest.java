package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class WireTestCommandTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    private final AtomicInteger effects = new AtomicInteger();
    private final MemoryTransport bus = MemoryTransport.builder().build();
    private final List<AutoCloseable> running = new ArrayList<>();
    private String url;
    private HikariDataSource pool;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void aLogWithARoute() {
        url = server.createDatabase("wire_" + DATABASES.incrementAndGet());
        run("schema", "migrate");
        run("routes", "create", "main", "--domain", "transfers");
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(url);
        pool = new HikariDataSource(hikari);
    }

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable one : running) {
            one.close();
        }
        bus.close();
        pool.close();
    }

    private Cli run(String... args) {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.add("--database-url");
        all.add(url);
        return Cli.run(all.toArray(new String[0]));
    }

    private void startRelay(Publisher publisher) {
        running.add(Relay.start(
                PostgresRelayStores.open(
                        pool,
                        Schema.DEFAULT,
                        Route.named("main").withFilter(RouteFilter.ofDomains("transfers")),
                        "wire"),
                publisher,
                RelayConfig.standard(),
                RoutePolicy.standard()));
    }

    private void startConsumer(ConsumerConfig config) {
        running.add(
                0,
                Consumer.start(
                        bus,
                        config,
                        Handlers.<Connection>none()
                                .onAll("submit", EventHandler.of((event, connection) -> effects.incrementAndGet())),
                        PostgresInbox.equipment(pool, Schema.DEFAULT)));
    }

    private static ConsumerConfig consumer(String name) {
        return ConsumerConfig.of(Subscriber.named(name).domains("transfers"));
    }

    @Test
    void eachHopIsReportedAndNoHandlerIsCalled() {
        startConsumer(consumer("gateway"));
        startConsumer(consumer("ledger").batch(10, Duration.ofMillis(5)));
        startRelay(bus.publisher());

        Cli through =
                run("wire-test", "--type", "submitted.usdc", "--consumer", "gateway", "--consumer", "ledger", "--json");

        assertThat(through.code()).as(through.out() + through.err()).isZero();
        assertThat(through.json().path("ok").asBoolean()).isTrue();
        List<String> hops = new ArrayList<>();
        double before = -1;
        for (JsonNode hop : through.json().path("hops")) {
            hops.add(hop.path("hop").asText() + " " + hop.path("where").asText() + " "
                    + hop.path("reached").asBoolean());
            assertThat(hop.path("ms").asDouble()).isGreaterThanOrEqualTo(0);
            before = hop.path("ms").asDouble();
        }
        assertThat(before).isPositive();
        assertThat(hops)
                .containsExactly(
                        "emitted the log true",
                        "published route main true",
                        "received consumer gateway true",
                        "received consumer ledger true");
        assertThat(effects).hasValue(0);
        assertThat(run("wire-test", "--consumer", "gateway").out())
                .contains("is through.")
                .contains(" after ");
    }

    @Test
    void whatStandsInTheWayIsNamed() {
        Cli nobody = run("wire-test", "--within", "1ms");
        assertThat(nobody.code()).isEqualTo(1);
        assertThat(nobody.out()).contains("got stuck").contains("no relay of this route is alive; see posthorn relay");

        run("routes", "pause", "main");
        assertThat(run("wire-test", "--within", "1ms").out())
                .contains("the route is paused; see posthorn routes resume");
        run("routes", "resume", "main");
        startRelay(bus.publisher());

        Cli unknown = run("wire-test", "--within", "3s", "--consumer", "nobody", "--json");
        assertThat(unknown.code()).isEqualTo(1);
        assertThat(unknown.json().path("hops").get(1).path("reached").asBoolean())
                .isTrue();
        assertThat(unknown.json().path("hops").get(2).path("why").asText()).contains("has ever run on this database");
    }

    @Test
    void aRefusalEndsItAtOnceWithItsReason() {
        startRelay(new Publisher() {
            @Override
            public void publish(List<? extends dev.posthorn.transport.Publication> publications) {
                publications.forEach(one -> one.settle(Outcome.refused("no such topic")));
            }

            @Override
            public void close() {}
        });

        Cli refused = run("wire-test", "--within", "60s");

        assertThat(refused.code()).isEqualTo(1);
        assertThat(refused.out()).contains("it is FAILED: no such topic; see posthorn events show");
    }

    @Test
    void whatTheRouteDoesNotWantIsNotEmitted() {
        Cli other = run("wire-test", "--domain", "bank");

        assertThat(other.code()).isEqualTo(1);
        assertThat(other.err())
                .contains("does not want an event of domain bank")
                .contains("domains transfers, types of all");
        assertThat(run("wire-test", "--route", "mian").err())
                .contains("There is no route \"mian\"")
                .contains("[main]");
        assertThat(run("status", "--json").json().toString()).doesNotContain("wire-test");
    }
}
