package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What commands say of a log whose events are not published for a reason that no route shows. */
class LogFindingsTest {

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
    void migrate() {
        url = server.createDatabase("findings_" + DATABASES.incrementAndGet());
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
    }

    @Test
    void eventsOnNoRouteAreSaidByStatusDoctorAndEventsShow() throws SQLException {
        String id = emit();
        assertThat(cli("status").out())
                .contains("There is no route yet")
                .contains("Events lie on no route and are not published: shop/order.placed (1 or more)");

        assertThat(cli("routes", "create", "late", "--start", "now").code()).isZero();

        assertThat(cli("status").out()).contains("Events lie on no route").contains("shop/order.placed");
        assertThat(cli("doctor").out())
                .contains("unrouted: events lie on no route: shop/order.placed (1 or more)")
                .contains("posthorn replay start");
        assertThat(cli("events", "show", id).out()).contains("on no route");
        JsonNode status = cli("status", "--json").json();
        assertThat(status.path("unrouted").get(0).path("kind").asText()).isEqualTo("shop/order.placed");
    }

    @Test
    void aLogWhoseEventsAreAllOnARouteSaysNothing() throws SQLException {
        assertThat(cli("routes", "create", "all", "--start", "beginning").code())
                .isZero();
        emit();

        assertThat(cli("status").out()).doesNotContain("no route");
        assertThat(cli("doctor").out()).doesNotContain("unrouted");
    }

    @Test
    void statusOnARestoredLogNamesTheRebase() throws SQLException {
        assertThat(cli("routes", "create", "all", "--start", "beginning").code())
                .isZero();
        assertThat(cli("status").out()).doesNotContain("rebase");
        ask("UPDATE posthorn.log SET created_at = created_at"); // as a restore writes the row anew

        assertThat(cli("status").out()).contains("restored from a dump").contains("posthorn rebase");
        assertThat(cli("status", "--json").json().path("restored").asBoolean()).isTrue();
    }

    @Test
    void anAttemptThatWasDueIsNotShownAsTheNext() throws SQLException {
        assertThat(cli("routes", "create", "all", "--start", "beginning").code())
                .isZero();
        String id = emit();
        ask(
                "INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, due) SELECT r.id, o.lane, o.seq,"
                        + " 'RETRY', o.id, o.key, 2, now() - interval '1 hour' FROM posthorn.outbox o, posthorn.route r");
        assertThat(cli("events", "show", id).out()).contains("2 attempts").doesNotContain("next attempt");

        ask("UPDATE posthorn.detour SET due = now() + interval '1 hour'");
        assertThat(cli("events", "show", id).out()).contains("next attempt");
    }

    @Test
    void aListThatFailsPrintsItsFailureAlone() {
        for (String command : new String[] {"dead list", "dead list --json", "audit", "audit --json", "events list"}) {
            Cli failed = cli((command + " --schema nowhere").split(" ", -1));

            assertThat(failed.code()).as(command).isEqualTo(1);
            assertThat(failed.out()).as(command).isEmpty();
            assertThat(failed.err()).as(command).contains("nowhere");
        }
        assertThat(cli("dead", "list").out()).contains("No event is dead.");
        assertThat(cli("dead", "list", "--json").json().path("dead")).isEmpty();
    }

    private Cli cli(String... args) {
        String[] all = new String[args.length + 2];
        System.arraycopy(args, 0, all, 0, args.length);
        all[args.length] = "--database-url";
        all[args.length + 1] = url;
        return Cli.run(all);
    }

    private String emit() throws SQLException {
        return ask("SELECT posthorn.emit('shop', 'order.placed', '{}'::text)");
    }

    private String ask(String sql) throws SQLException {
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            if (!statement.execute(sql)) {
                return "";
            }
            try (ResultSet row = statement.getResultSet()) {
                row.next();
                return row.getString(1);
            }
        }
    }
}
