package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.PosthornException;
import dev.posthorn.event.StorableText;
import dev.posthorn.event.UnstorableTextException;
import dev.posthorn.outbox.Change;
import dev.posthorn.relay.Route;
import dev.posthorn.testkit.HostileValues;
import dev.posthorn.testkit.HostileValues.Text;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Whatever operators type: a reason is recorded readably, a name is found, unknown, or refused by its field. */
class HostileOperatorsTest {

    private static TestPostgres postgres;
    private static HikariDataSource pool;
    private static PostgresRoutes routes;

    @BeforeAll
    static void open() {
        postgres = TestPostgres.migrated();
        pool = postgres.pool();
        routes = new PostgresRoutes(pool, Schema.DEFAULT);
        routes.create(Route.named("main"));
    }

    @AfterAll
    static void close() {
        pool.close();
    }

    private interface Action {
        void run(String text);
    }

    @Test
    void anyReasonIsRecordedReadably() {
        PostgresAudit audit = new PostgresAudit(pool, Schema.DEFAULT);
        for (Text text : HostileValues.texts()) {
            if (text.value().isBlank()) {
                continue; // a reason that says nothing is none
            }
            routes.pause("main", text.value());
            assertThat(audit.newest(null, "pause", PostgresAudit.END, 1).get(0).reason())
                    .as(text.what())
                    .hasValue(StorableText.remark(text.value()));

            routes.resume("main", text.value());
            new PostgresActions(Schema.DEFAULT, "someone")
                    .record(pool, new PostgresActions.Deed("emit", "main", "target", text.value(), 1));
            assertThat(audit.newest("someone", "emit", PostgresAudit.END, 1)
                            .get(0)
                            .reason())
                    .as(text.what())
                    .hasValue(StorableText.remark(text.value()));
        }
    }

    @Test
    void everyNameAnOperatorMayTypeIsHarmless() {
        Map<String, Action> actions = new LinkedHashMap<>();
        PostgresInspection inspection = new PostgresInspection(pool, Schema.DEFAULT);
        PostgresEvents events = new PostgresEvents(pool, Schema.DEFAULT);
        PostgresDeadDesk dead = new PostgresDeadDesk(pool, Schema.DEFAULT);
        actions.put("route name", name -> routes.pause(name, "why"));
        actions.put("consumer name", name -> new PostgresConsumerDesk(pool, Schema.DEFAULT).pause(name, "why"));
        actions.put("key", inspection::key);
        actions.put("key ", key -> events.ofKey(key, PostgresEvents.END, 1));
        actions.put("domain", name -> listed(events, new PostgresEvents.Filter(name, null, null, null)));
        actions.put("type", name -> listed(events, new PostgresEvents.Filter(null, name, null, null)));
        actions.put("tenant", name -> listed(events, new PostgresEvents.Filter(null, null, name, null)));
        actions.put("correlation ID", name -> listed(events, new PostgresEvents.Filter(null, null, null, name)));
        actions.put("route name ", name -> inspection.dead(name, null, 1));
        actions.put(
                "route name  ",
                name -> new PostgresDeadEvents(pool, Schema.DEFAULT).discard(name, UUID.randomUUID(), "why"));
        actions.put("filter", key -> dead.count(DeadFilter.all().key(key)));
        actions.put("filter ", name -> dead.list(DeadFilter.all().consumer(name), null, 1));
        actions.put("filter  ", name -> dead.groups(DeadFilter.all().fingerprint(name), 1));
        actions.put("who", name -> new PostgresAudit(pool, Schema.DEFAULT).newest(name, null, PostgresAudit.END, 1));
        actions.put("role", name -> new Grants(Schema.DEFAULT).apply(pool, RoleKind.VIEWER, name));
        actions.forEach((field, action) -> HostileValues.texts().forEach(text -> {
            try {
                action.run(text.value());
                assertThat(HostileValues.unstorable())
                        .as("%s as %s", text, field)
                        .doesNotContain(text);
            } catch (UnstorableTextException refused) {
                assertThat(refused.field()).as(text.what()).contains(field.strip());
            } catch (PosthornException | IllegalArgumentException unknown) {
                assertThat(HostileValues.unstorable())
                        .as("%s as %s", text, field)
                        .doesNotContain(text);
            }
        }));
        assertThat(routes.list()).hasSize(1);
    }

    private static void listed(PostgresEvents events, PostgresEvents.Filter filter) {
        assertThat(events.newest(filter, PostgresEvents.END, 1)).isEmpty();
    }

    @Test
    void aHostileParameterOfAChangeLeavesTheTransactionAsItWas() throws SQLException {
        postgres.run("CREATE TABLE note (text text)");
        PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
        try (Connection connection = postgres.transaction()) {
            TestPostgres.run(connection, "INSERT INTO note VALUES ('before')");

            assertThatThrownBy(() ->
                            outbox.commit(connection, Change.of("INSERT INTO note VALUES (?)", "a\0b"), List.of()))
                    .hasMessageContaining(
                            "Cannot store parameter 1 of the change: it has 3 characters, and character 2");
            TestPostgres.run(connection, "INSERT INTO note VALUES ('after')");
            connection.commit();
        }
        assertThat(postgres.rows("SELECT text FROM note")).containsExactly("before", "after");
    }

    @Test
    void aHostileColumnOfADomainKeyIsRefusedByName() throws SQLException {
        postgres.run("CREATE TABLE posting (transfer text PRIMARY KEY)");
        DomainKey key = DomainKey.of(new Schema("public"), "posting", "transfer");
        try (Connection connection = postgres.transaction()) {
            assertThatThrownBy(() -> key.insert(connection, Map.of("transfer", "a\uD83D")))
                    .isInstanceOf(UnstorableTextException.class)
                    .hasMessageContaining("column transfer of \"public\".\"posting\"");
            assertThat(key.insert(connection, Map.of("transfer", "a"))).isTrue();
            connection.commit();
        }
    }
}
