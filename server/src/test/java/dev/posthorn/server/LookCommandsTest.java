package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.EventsFormat;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.RetryPolicy;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The commands that look at the log, at a relay which refuses the events of one key. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LookCommandsTest {

    private static EmbeddedPostgres server;
    private static HikariDataSource pool;
    private static Relay relay;
    private static String url;

    /** Refuses what has the key "bad". */
    private static final class Picky implements Publisher {

        @Override
        public void publish(List<? extends Publication> publications) {
            publications.forEach(one -> one.settle(
                    one.event().key().orElse("").equals("bad") ? Outcome.refused("not that") : Outcome.accepted()));
        }

        @Override
        public void close() {}
    }

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        url = server.createDatabase("look");
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        HikariConfig config = new HikariConfig();
        config.setJdbcUrl(url);
        pool = new HikariDataSource(config);
        relay = Relay.start(
                PostgresRelayStores.open(
                        pool, Schema.DEFAULT, Route.named("main").fromBeginning(), "one"),
                new Picky(),
                RelayConfig.standard(),
                new RoutePolicy(RetryPolicy.ladder(), Map.of(), RoutePolicy.AfterDead.HOLD));
        run("INSERT INTO posthorn.outbox (domain, type, key, tenant) VALUES ('orders', 'placed', 'good', 'acme')");
        run("INSERT INTO posthorn.outbox (domain, type, key) VALUES ('orders', 'placed', 'bad')");
        run("INSERT INTO posthorn.outbox (domain, type, key) VALUES ('parcels', 'sent', 'bad')");
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!isThere("good", "main SENT") || !isThere("bad", "held")) {
            assertThat(System.nanoTime())
                    .as("what is there: " + cli("events", "list"))
                    .isLessThan(end);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private static EventsTail tail(String domain, int last) {
        PostgresEvents events = new PostgresEvents(pool, Schema.DEFAULT);
        PostgresEvents.Filter filter = new PostgresEvents.Filter(domain, null, null, null);
        return new EventsTail(
                before -> events.newest(filter, before, EventsTail.PAGE).stream()
                        .map(EventsFormat::json)
                        .toList(),
                last);
    }

    private static String type(JsonNode event) {
        return event.path("type").asText();
    }

    private static boolean isThere(String key, String text) {
        return cli("keys", "show", key).out().contains(text);
    }

    @AfterAll
    static void stop() {
        relay.close();
        pool.close();
        server.close();
    }

    private static void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static Cli cli(String... args) {
        List<String> all = new ArrayList<>(Arrays.asList(args));
        all.add("--database-url");
        all.add(url);
        return Cli.run(all.toArray(String[]::new));
    }

    private static List<String> types(JsonNode events) {
        List<String> types = new ArrayList<>();
        events.forEach(event -> types.add(
                event.path("domain").asText() + "/" + event.path("key").asText()));
        return types;
    }

    @Test
    void theNewestEventsAreListedWithTheirStateOnEachRoute() {
        JsonNode all = cli("events", "list", "--json").json().path("events");

        assertThat(types(all)).containsExactly("parcels/bad", "orders/bad", "orders/good");
        assertThat(all.get(2).path("routes").toString()).isEqualTo("[{\"route\":\"main\",\"state\":\"SENT\"}]");
        assertThat(all.get(1).path("routes").get(0).path("state").asText()).isEqualTo("FAILED");
        assertThat(all.get(0).path("routes").get(0).path("state").asText()).isNotEqualTo("SENT");
        assertThat(cli("events", "list").out())
                .contains("orders/placed, key good, tenant acme")
                .contains("main SENT");
    }

    @Test
    void aListIsNarrowedByFiltersAndGoesOnWhereItEnded() {
        assertThat(types(cli("events", "list", "--domain", "parcels", "--json")
                        .json()
                        .path("events")))
                .containsExactly("parcels/bad");
        assertThat(types(cli("events", "list", "--tenant", "acme", "--type", "placed", "--json")
                        .json()
                        .path("events")))
                .containsExactly("orders/good");
        JsonNode first = cli("events", "list", "--limit", "1", "--json").json().path("events");
        assertThat(types(cli(
                                "events",
                                "list",
                                "--before",
                                first.get(0).path("seq").asText(),
                                "--json")
                        .json()
                        .path("events")))
                .containsExactly("orders/bad", "orders/good");
        assertThat(cli("events", "list", "--type", "lost").out()).contains("No event of the log is like that.");
        assertThat(cli("events", "list", "--limit", "0").err()).contains("--limit is 0, but must be 1 to 10000.");
    }

    @Test
    void theTailBeginsWithTheLastOnesAndTellsEachNewOneOnce() throws Exception {
        EventsTail tail = tail("tail", 2);
        for (int i = 0; i < 3; i++) {
            run("INSERT INTO posthorn.outbox (domain, type) VALUES ('tail', 't" + i + "')");
        }

        assertThat(tail.next()).extracting(LookCommandsTest::type).containsExactly("t1", "t2");
        assertThat(tail.next()).isEmpty();
        run("INSERT INTO posthorn.outbox (domain, type) SELECT 'tail', 'many' || n FROM generate_series(1, 1200) n");
        assertThat(tail.next()).hasSize(1200).extracting(LookCommandsTest::type).startsWith("many1", "many2");
        assertThat(tail.next()).isEmpty();
        run("DELETE FROM posthorn.outbox WHERE domain = 'tail'");
    }

    @Test
    void anEventThatCommitsBehindALaterOneIsToldToo() throws Exception {
        EventsTail tail = tail("late", 0);
        assertThat(tail.next()).isEmpty();
        try (Connection slow = pool.getConnection();
                Statement statement = slow.createStatement()) {
            slow.setAutoCommit(false);
            statement.execute("INSERT INTO posthorn.outbox (domain, type) VALUES ('late', 'first')");
            run("INSERT INTO posthorn.outbox (domain, type) VALUES ('late', 'second')");
            assertThat(tail.next()).extracting(LookCommandsTest::type).containsExactly("second");
            slow.commit();
        }

        assertThat(tail.next()).extracting(LookCommandsTest::type).containsExactly("first");
        run("DELETE FROM posthorn.outbox WHERE domain = 'late'");
    }

    @Test
    void theTailEndsWhenItsTimeIsOver() {
        Cli tail = cli("events", "tail", "--domain", "orders", "--for", "10ms", "--every", "1ms", "--json");

        assertThat(tail.code()).isZero();
        assertThat(tail.out().lines()).hasSize(2).allMatch(line -> line.startsWith("{\"seq\":"));
    }

    @Test
    void aKeyTellsWhatItWaitsForAndWhatWaits() {
        JsonNode bad = cli("keys", "show", "bad", "--json").json();
        JsonNode blocked = bad.path("blocked").get(0);
        String failed = bad.path("events").get(1).path("id").asText();

        assertThat(blocked.path("route").asText()).isEqualTo("main");
        assertThat(blocked.path("held").asBoolean()).isTrue();
        assertThat(blocked.path("head").asText()).isEqualTo(failed);
        assertThat(blocked.path("waiting").asInt()).isPositive();
        assertThat(blocked.path("last_error").asText()).contains("not that");
        assertThat(cli("keys", "show", "bad").out())
                .contains("route main: held for")
                .contains("posthorn dead redrive " + failed + " --route main");
        assertThat(cli("keys", "show", "good").out()).startsWith("key good waits nowhere");
        assertThat(cli("keys", "show", "none").out()).contains("No event of the log has the key none.");
    }

    @Test
    void relaysAreListedWithTheirLanes() {
        JsonNode relays = cli("relays", "list", "--json").json().path("relays");

        assertThat(relays).singleElement().satisfies(one -> {
            assertThat(one.path("name").asText()).isEqualTo("one");
            assertThat(one.path("route").asText()).isEqualTo("main");
            assertThat(one.path("lanes").asInt()).isEqualTo(16);
        });
        assertThat(cli("relays", "list").out()).startsWith("route main: relay one, 16 lanes, running for");
    }

    @Test
    void whatOperatorsDidIsListedTheLastFirst() {
        cli("routes", "create", "other");
        cli("routes", "pause", "other", "--reason", "a look");
        cli("routes", "resume", "other", "--reason", "seen enough");

        JsonNode actions = cli("audit", "--json").json().path("actions");

        assertThat(actions.get(0).path("reason").asText()).isEqualTo("seen enough");
        assertThat(actions.get(1).path("reason").asText()).isEqualTo("a look");
        assertThat(actions.get(0).path("who").asText()).isNotEmpty();
        assertThat(cli("audit", "--limit", "1").out()).contains(": seen enough").doesNotContain("a look");
        assertThat(cli("audit", "--before", actions.get(0).path("id").asText(), "--limit", "1")
                        .out())
                .contains("a look");
        assertThat(cli("audit", "--who", "nobody").out()).contains("Nobody did anything like that.");
        assertThat(cli("audit", "--action", actions.get(0).path("action").asText(), "--json")
                        .json()
                        .path("actions"))
                .hasSize(1);
        cli("routes", "retire", "other", "--reason", "done");
    }
}
