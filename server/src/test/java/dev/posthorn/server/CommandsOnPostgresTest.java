package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Route;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.ds.PGSimpleDataSource;

class CommandsOnPostgresTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    private String url;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void anEmptyDatabase() {
        url = server.createDatabase("cli_" + DATABASES.incrementAndGet());
    }

    @Test
    void thePrintedSchemaIsTheOneThatValidates() throws SQLException {
        assertThat(Cli.run("schema", "validate", "--database-url", url).code()).isEqualTo(1);

        String script = Cli.run("schema", "print", "--lanes", "4").out();
        run(script);

        assertThat(Cli.run("schema", "validate", "--lanes", "4", "--database-url", url)
                        .code())
                .isZero();
        Cli other = Cli.run("schema", "validate", "--lanes", "5", "--database-url", url, "--json");
        assertThat(other.code()).isEqualTo(1);
        assertThat(other.json().path("valid").asBoolean(true)).isFalse();
        assertThat(other.json().path("faults").get(0).asText()).contains("created with 4 lanes");
    }

    @Test
    void migratingMakesAnEmptyDatabaseValid() {
        Cli migrated = Cli.run("schema", "migrate", "--schema", "elsewhere", "--database-url", url, "--json");

        assertThat(migrated.json().path("valid").asBoolean()).isTrue();
        assertThat(Cli.run("schema", "validate", "--schema", "elsewhere", "--database-url", url)
                        .code())
                .isZero();
        assertThat(Cli.run("schema", "validate", "--database-url", url).code()).isEqualTo(1);
    }

    @Test
    void withoutASchemaTheErrorSaysWhatToDo() {
        Cli answer = Cli.run("status", "--database-url", url);

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err())
                .contains("\"posthorn\" is not in this database")
                .contains("Run the migrations");
    }

    @Test
    void anEmittedEventWaitsOnEveryRoute() {
        migrateWithRoute();

        Cli emitted = emit("--key", "k1", "--sequence", "7", "--json-payload", "{\"a\":1}", "--json");

        assertThat(emitted.code()).as(emitted.err()).isZero();
        assertThat(emitted.json().path("emitted").asBoolean()).isTrue();
        JsonNode route = Cli.run("status", "--database-url", url, "--json")
                .json()
                .path("routes")
                .get(0);
        assertThat(route.path("route").asText()).isEqualTo("main");
        assertThat(route.path("waiting").asInt()).isEqualTo(1);
        assertThat(route.path("lanes")).hasSize(16);
        assertThat(Cli.run("status", "--database-url", url).out()).contains("route main: 1 waiting for ");
    }

    @Test
    void emittingAnIdAgainDoesNothing(@TempDir Path folder) throws Exception {
        migrateWithRoute();
        Path file = Files.writeString(folder.resolve("payload"), "any bytes");
        String id = UUID.randomUUID().toString();
        String[] event = {"--id", id, "--payload-file", file.toString(), "--content-type", "text/plain", "--json"};
        assertThat(emit(event).json().path("emitted").asBoolean()).isTrue();

        Cli again = emit(event);

        assertThat(again.code()).isZero();
        assertThat(again.json().path("emitted").asBoolean(true)).isFalse();
        assertThat(again.json().path("id").asText()).isEqualTo(id);
    }

    @Test
    void anEventThatMakesNoSenseIsNotEmitted() {
        migrateWithRoute();

        assertThat(emit("--json-payload", "{").err()).contains("not valid JSON");
        assertThat(emit("--json-payload", "1", "--key", "").err()).contains("key");
        assertThat(emit("--json-payload", "1", "--payload-file", "x").code()).isEqualTo(2);
        assertThat(Cli.run("status", "--database-url", url).out()).contains("0 waiting");
    }

    @Test
    void aDeadEventIsListedAndSentBack() throws SQLException {
        migrateWithRoute();
        String id = emit("--json-payload", "1", "--json").json().path("id").asText();
        kill(id);

        Cli tried = Cli.run(
                "dead", "redrive", "--database-url", url, "--route", "main", "--event", id, "--dry-run", "--json");
        assertThat(tried.json().path("count").asInt()).isEqualTo(1);
        JsonNode dead =
                Cli.run("dead", "list", "--database-url", url, "--json").json().path("dead");
        assertThat(dead).hasSize(1);
        assertThat(dead.get(0).path("id").asText()).isEqualTo(id);
        assertThat(dead.get(0).path("last_error").asText()).isEqualTo("no such queue");

        Cli done = Cli.run(
                "dead",
                "redrive",
                "--database-url",
                url,
                "--route",
                "main",
                "--all",
                "--reason",
                "queue is there",
                "--yes");

        assertThat(done.code()).as(done.err()).isZero();
        assertThat(done.out())
                .contains(id + ": to be published by itself, out of order")
                .contains("1 events to redrive, done");
        assertThat(Cli.run("dead", "list", "--database-url", url).out()).contains("No event is dead.");
    }

    @Test
    void aDiscardNeedsAReasonAndADeadEvent() throws SQLException {
        migrateWithRoute();
        String id = emit("--json-payload", "1", "--json").json().path("id").asText();
        String[] discard = {"dead", "discard", "--database-url", url, "--route", "main", "--event", id};
        assertThat(Cli.run(discard).err()).contains("--reason");
        String[] withReason = Arrays.copyOf(discard, discard.length + 2);
        withReason[discard.length] = "--reason";
        withReason[discard.length + 1] = "obsolete";

        Cli tooEarly = Cli.run(withReason);
        kill(id);
        Cli done = Cli.run(withReason);

        assertThat(tooEarly.code()).isEqualTo(1);
        assertThat(tooEarly.err()).contains("is not dead on route \"main\"");
        assertThat(done.code()).isZero();
    }

    @Test
    void aRouteIsCreatedPausedResumedAndRetired() {
        migrateWithRoute();

        Cli created = routes("create", "audit", "--domain", "shop", "--tenant", "acme", "--start", "beginning");
        assertThat(created.out()).contains("Route audit: created.");
        assertThat(routes("create", "audit", "--domain", "shop", "--tenant", "acme")
                        .out())
                .contains("Route audit is there already.");
        assertThat(routes("create", "audit", "--domain", "mail").err())
                .contains("exists with another filter: domains [shop] and tenants [acme], not domains [mail]");
        assertThat(routes("pause", "audit", "--json").json().path("changed").asBoolean())
                .isTrue();

        assertThat(routes("list").out())
                .containsPattern("audit: domains shop, tenants acme, from beginning PAUSED for [0-9]+s;")
                .contains("main: every event, from beginning");
        assertThat(Cli.run("status", "--database-url", url).out())
                .containsPattern("route audit: PAUSED for [0-9]+s; 0 waiting");

        assertThat(routes("resume", "audit").out()).contains("Route audit: resumed.");
        assertThat(routes("resume", "audit").out()).contains("Route audit was not paused.");
        assertThat(routes("retire", "audit").err()).contains("--reason");
        assertThat(routes("retire", "audit", "--reason", "over").out()).contains("Route audit: retired.");
        assertThat(routes("pause", "audit").err()).contains("Route \"audit\" is retired");
        assertThat(routes("list", "--json")
                        .json()
                        .path("routes")
                        .path(0)
                        .path("retired_at")
                        .asText())
                .startsWith("20");
    }

    @Test
    void whereARouteStartsIsChecked() {
        migrateWithRoute();

        assertThat(routes("create", "late", "--start", "tomorrow").err())
                .contains("\"tomorrow\" is not where a route can start. Write auto, now, beginning, or a time");
        assertThat(routes("create", "a b").err()).contains("\"a b\" is not a route's name");
    }

    @Test
    void aRouteThatIsPausedForLongIsPointedOut() throws SQLException {
        migrateWithRoute();
        routes("pause", "main");
        run("UPDATE posthorn.route SET paused_at = now() - interval '2 days'");

        assertThat(Cli.run("status", "--database-url", url).out())
                .contains(
                        "route main: PAUSED for 48h, so nothing is pruned: posthorn routes resume main, or retire it;");
    }

    @Test
    void whatMayGoIsPruned() throws SQLException {
        migrateWithRoute();
        emit("--json-payload", "1");
        assertThat(Cli.run("prune", "--database-url", url, "--dry-run").out())
                .contains("0 events would be removed. Nothing was changed.");
        Cli.run("routes", "create", "new", "--database-url", url);
        Cli.run("routes", "retire", "main", "--reason", "over", "--database-url", url);

        assertThat(Cli.run("prune", "--database-url", url, "--dry-run").out()).contains("1 events would be removed.");
        Cli done = Cli.run("prune", "--database-url", url, "--retention", "1d", "--json");

        assertThat(done.json().path("events").asInt()).as(done.err()).isEqualTo(1);
        assertThat(done.json().path("retention").asText()).isEqualTo("1d");
    }

    private Cli routes(String... more) {
        String[] all = new String[more.length + 3];
        all[0] = "routes";
        System.arraycopy(more, 0, all, 1, more.length);
        all[more.length + 1] = "--database-url";
        all[more.length + 2] = url;
        return Cli.run(all);
    }

    @Test
    void aViewersLoginIsEnoughForTheStatus() throws SQLException {
        migrateWithRoute();
        run("CREATE ROLE shop_viewer LOGIN");
        String viewer = url.replace("user=postgres", "user=shop_viewer");
        assertThat(Cli.run("status", "--database-url", viewer).err()).contains("permission denied");

        Cli granted = Cli.run(
                "schema", "grants", "viewer", "--to", "shop_viewer", "--apply", "--database-url", url, "--json");

        assertThat(granted.json().path("applied").asBoolean()).as(granted.err()).isTrue();
        assertThat(granted.json().path("kind").asText()).isEqualTo("viewer");
        assertThat(Cli.run("status", "--database-url", viewer).out()).contains("route main: 0 waiting");
        assertThat(Cli.run("dead", "list", "--database-url", viewer).code()).isZero();
        assertThat(Cli.run("schema", "validate", "--database-url", viewer).code())
                .isZero();
    }

    @Test
    void aRoleThatDoesNotExistIsGrantedNothing() {
        migrateWithRoute();

        Cli answer = Cli.run("schema", "grants", "relay", "--to", "nobody", "--apply", "--database-url", url);

        assertThat(answer.code()).isEqualTo(1);
        assertThat(answer.err()).contains("There is no role \"nobody\". Create it first");
    }

    @Test
    void aServiceOfAGrownSystemInsertsThroughItsViews() throws SQLException {
        migrateWithRoute();
        run("CREATE ROLE grown_service LOGIN");

        Cli made = Cli.run("schema", "seed-views", "holdco", "--to", "grown_service", "--database-url", url, "--json");

        assertThat(made.json().path("applied").asBoolean()).as(made.err()).isTrue();
        try (Connection connection = DriverManager.getConnection(url.replace("user=postgres", "user=grown_service"));
                Statement statement = connection.createStatement()) {
            statement.execute("INSERT INTO event_outbox (group_id, aggregate_type, aggregate_id, event_type, payload)"
                    + " VALUES (gen_random_uuid(), 'order', gen_random_uuid(), 'created', '{}')");
        }
        assertThat(Cli.run("status", "--database-url", url).out()).contains("route main: 1 waiting");
    }

    @Test
    void aRestoredLogIsRefusedUntilItIsRebased(@TempDir Path folder) throws SQLException {
        migrateWithRoute();
        emit("--json-payload", "{}");
        assertThat(Cli.run("rebase", "--database-url", url).out()).contains("Nothing to do");
        run("UPDATE posthorn.log SET created_at = created_at");

        Cli relay = Cli.run("relay", "--transport", "file:" + folder.resolve("events"), "--database-url", url);
        Cli look = Cli.run("rebase", "--dry-run", "--database-url", url);
        Cli done = Cli.run("rebase", "--reason", "moved", "--json", "--database-url", url);

        assertThat(relay.code()).isEqualTo(1);
        assertThat(relay.err()).contains("This log was restored from a dump").contains("posthorn rebase");
        assertThat(look.out())
                .contains("route main: 1 events to publish, 0 blocked keys")
                .contains("Nothing was changed.");
        assertThat(done.json().path("moved").asBoolean()).isTrue();
        assertThat(done.json().path("routes").get(0).path("unread").asInt()).isEqualTo(1);
        assertThat(Cli.run("rebase", "--json", "--database-url", url)
                        .json()
                        .path("needed")
                        .asBoolean(true))
                .isFalse();
    }

    @Test
    void theDoctorNamesWhatIsWrong() throws SQLException {
        Cli missing = Cli.run("doctor", "--database-url", url);
        migrateWithRoute();
        Cli idle = Cli.run("doctor", "--json", "--database-url", url);
        run("UPDATE posthorn.log SET created_at = created_at");
        Cli restored = Cli.run("doctor", "--database-url", url);
        Cli unreachable = Cli.run("doctor", "--database-url", "postgres://u:secret@127.0.0.1:1/none");

        assertThat(missing.code()).isEqualTo(1);
        assertThat(missing.out()).contains("SERIOUS schema:").contains("posthorn schema migrate");
        assertThat(idle.code()).isZero();
        assertThat(idle.json().path("findings").get(0).path("check").asText()).isEqualTo("relay");
        assertThat(restored.code()).isEqualTo(1);
        assertThat(restored.out())
                .contains("SERIOUS restored: the log was restored from a dump")
                .contains("posthorn rebase");
        assertThat(unreachable.code()).isEqualTo(1);
        assertThat(unreachable.out())
                .contains("SERIOUS connection: No connection to the database none")
                .doesNotContain("secret");
    }

    private Cli emit(String... more) {
        String[] first = {"emit", "--database-url", url, "--domain", "shop", "--type", "placed"};
        String[] all = Arrays.copyOf(first, first.length + more.length);
        System.arraycopy(more, 0, all, first.length, more.length);
        return Cli.run(all);
    }

    private void migrateWithRoute() {
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        PGSimpleDataSource source = new PGSimpleDataSource();
        source.setUrl(url);
        PostgresRelayStores.open(source, Schema.DEFAULT, Route.named("main").fromBeginning(), "test");
    }

    /** As a relay leaves an event that was refused. */
    private void kill(String id) throws SQLException {
        run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, attempts, last_error)"
                + " SELECT 1, lane, seq, 'FAILED', id, 1, 'no such queue' FROM posthorn.outbox WHERE id = '" + id
                + "'");
    }

    private void run(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }
}
