package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nobody gains the rights of the log's owner by functions of their own. */
class EscalationTest {

    private static final String SECRET = "the-secret-of-the-bank";
    private static final List<String> SYSTEMS = List.of("holdco", "transfers", "openpaw", "licenses", "workflows");

    private TestPostgres postgres;
    private TestRole owner;

    /** The log belongs to a role that is not a superuser, which owns all and bypasses nothing. */
    @BeforeEach
    void createLog() throws SQLException {
        postgres = TestPostgres.empty();
        owner = TestRole.create(postgres);
        postgres.run("GRANT CREATE ON DATABASE "
                + postgres.rows("SELECT quote_ident(current_database())").get(0) + " TO "
                + Identifiers.quote(owner.name()));
        new Migrations(Schema.DEFAULT).migrate(owner.dataSource());
        owner.run("SELECT posthorn.emit('bank', 'paid', '{\"a\": \"" + SECRET + "\"}', 'a')");
    }

    private static SeedViews views(String system, Schema views) {
        return switch (system) {
            case "holdco" -> SeedViews.holdco(Schema.DEFAULT, views);
            case "transfers" -> SeedViews.transfers(Schema.DEFAULT, views);
            case "openpaw" -> SeedViews.openpaw(Schema.DEFAULT, views);
            case "licenses" -> SeedViews.licenses(Schema.DEFAULT, views);
            default -> SeedViews.workflows(Schema.DEFAULT, views);
        };
    }

    /** Every kind of role, and the services of every system. */
    private List<TestRole> roles() throws SQLException {
        List<TestRole> roles = new ArrayList<>();
        for (RoleKind kind : RoleKind.values()) {
            TestRole role = TestRole.create(postgres);
            new Grants(Schema.DEFAULT).apply(owner.dataSource(), kind, role.name());
            roles.add(role);
        }
        for (String system : SYSTEMS) {
            TestRole service = TestRole.create(postgres);
            SeedViews views = views(system, new Schema("views_of_" + system));
            views.create(owner.dataSource());
            views.grant(owner.dataSource(), service.name());
            roles.add(service);
        }
        return roles;
    }

    @Test
    void noRoleReplacesOrShadowsAFunctionThatRunsAsTheOwner() throws SQLException {
        postgres.run("CREATE TABLE public.loot (what text); GRANT INSERT ON public.loot TO PUBLIC");
        List<TestRole> roles = roles();
        List<String> functions = owner.rows("SELECT format('%I.%I(%s)', n.nspname, p.proname,"
                + " pg_get_function_identity_arguments(p.oid)) || '|' || CASE WHEN p.prorettype = 'trigger'::regtype THEN 'trigger'"
                + " ELSE pg_get_function_result(p.oid) END || '|' || p.proname || '(' ||"
                + " pg_get_function_identity_arguments(p.oid) || ')'"
                + " FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                + " WHERE n.nspname = 'posthorn' OR n.nspname LIKE 'views\\_of\\_%'");
        assertThat(functions).hasSizeGreaterThan(50);
        List<String> replaced = new ArrayList<>();
        for (TestRole role : roles) {
            Connection connection = role.dataSource().getConnection();
            for (String function : functions) {
                String[] parts = function.split("\\|", 3);
                String evil =
                        " RETURNS " + parts[1] + " LANGUAGE plpgsql AS $evil$ BEGIN INSERT INTO public.loot SELECT"
                                + " current_user || convert_from(payload, 'UTF8') FROM posthorn.outbox; RETURN NULL; END $evil$";
                if (succeeds(connection, "CREATE OR REPLACE FUNCTION " + parts[0] + evil)
                        || succeeds(connection, "DROP FUNCTION " + parts[0] + " CASCADE")
                        || succeeds(connection, "ALTER FUNCTION " + parts[0] + " SET search_path = public")) {
                    replaced.add(parts[0] + " by " + role.name());
                }
                for (String system : SYSTEMS) {
                    boolean unused = succeeds(connection, "CREATE FUNCTION views_of_" + system + "." + parts[2] + evil);
                }
            }
            connection.close();
        }

        assertThat(replaced).isEmpty();
        useEverything(roles);
        assertThat(postgres.rows("SELECT what FROM public.loot WHERE what LIKE '%" + SECRET + "%'"))
                .isEmpty();
    }

    /** With all that was created before in the way, and with it first in the search path. */
    private static void useEverything(List<TestRole> roles) throws SQLException {
        String path =
                "SET search_path = views_of_holdco, views_of_transfers, views_of_openpaw, views_of_licenses, pg_temp,"
                        + " public, pg_catalog; ";
        for (TestRole role : roles) {
            for (String use : List.of(
                    "INSERT INTO views_of_transfers.outbox (eventtype, payload) VALUES ('events.transfers.made',"
                            + " jsonb_build_object('envelope', jsonb_build_object('eventId', gen_random_uuid(), 'type',"
                            + " 'events.transfers.made', 'occurredAt', '2026-01-01T00:00:00Z')))",
                    "INSERT INTO views_of_holdco.event_outbox (group_id, aggregate_type, aggregate_id, event_type, payload) VALUES"
                            + " (gen_random_uuid(), 'order', gen_random_uuid(), 'created', '{}')",
                    "INSERT INTO views_of_openpaw.outbox (event_type, payload) VALUES ('created', '{}')",
                    "INSERT INTO views_of_licenses.outbox_events (event_type, aggregate_type, aggregate_id, payload_json) VALUES"
                            + " ('created', 'license', 'a', '{}')",
                    "SELECT * FROM views_of_transfers.outbox",
                    "SELECT * FROM views_of_holdco.event_outbox",
                    "SELECT * FROM views_of_openpaw.outbox",
                    "SELECT * FROM views_of_licenses.outbox_events",
                    "SELECT posthorn.emit('orders', 'placed', '{}', 'a')",
                    "SELECT * FROM posthorn.outbox_status")) {
                try (Connection connection = role.dataSource().getConnection()) {
                    boolean unused = succeeds(connection, path + use);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"holdco", "transfers", "openpaw", "licenses"})
    void noFilterOfAServiceSeesEventsOfOthers(String system) throws SQLException {
        TestRole service = TestRole.create(postgres);
        SeedViews views = views(system, new Schema("views_of_" + system));
        views.create(owner.dataSource());
        views.grant(owner.dataSource(), service.name());
        String view = "views_of_" + system + "." + views.tables().get(0);
        String column = system.equals("transfers") ? "createdat" : "event_type";
        service.run("CREATE TABLE views_of_" + system + ".seen (what text)");
        service.run("CREATE FUNCTION views_of_" + system
                + ".look(what text) RETURNS boolean LANGUAGE plpgsql COST 0.0001 AS" + " $$ BEGIN INSERT INTO views_of_"
                + system + ".seen VALUES (what); RETURN true; END $$");

        service.rows("SELECT * FROM " + view + " WHERE views_of_" + system + ".look(" + column + "::text)");

        assertThat(service.rows("SELECT what FROM views_of_" + system + ".seen"))
                .isEmpty();
    }

    @Test
    void whatRunsAsItsOwnerPinsItsSearchPathAndLivesInTheLog() throws SQLException {
        List<TestRole> unused = roles();

        assertThat(owner.rows("SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                        + " WHERE p.prosecdef AND n.nspname NOT IN ('pg_catalog', 'information_schema')"
                        + " AND (n.nspname <> 'posthorn' OR NOT coalesce(p.proconfig @> ARRAY['search_path=pg_catalog, pg_temp'],"
                        + " false))"))
                .isEmpty();
        assertThat(owner.rows("SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                        + " WHERE n.nspname LIKE 'views\\_of\\_%'"))
                .as("functions where services may create")
                .isEmpty();
        assertThat(owner.rows("SELECT p.oid::regprocedure FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace"
                        + " JOIN pg_language l ON l.oid = p.prolang WHERE n.nspname = 'posthorn' AND l.lanname = 'plpgsql'"
                        + " AND p.proname NOT IN ('emit', 'place_event')"
                        + " AND NOT coalesce(p.proconfig @> ARRAY['search_path=pg_catalog, pg_temp'], false)"))
                .as("a body that is looked up when it runs")
                .isEmpty();
    }

    @Test
    void viewsAreRefusedInASchemaOfSomebodyElse() throws SQLException {
        TestRole application = TestRole.create(postgres);
        String schema = "grown";
        postgres.run("CREATE SCHEMA grown AUTHORIZATION " + Identifiers.quote(application.name()));

        for (String system : SYSTEMS) {
            assertThatThrownBy(() -> views(system, new Schema(schema)).create(postgres.dataSource()))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining(schema)
                    .hasMessageContaining("owner");
        }
        assertThat(postgres.rows(
                        "SELECT 1 FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = '"
                                + schema + "'"))
                .isEmpty();
    }

    @Test
    void viewsAreRefusedInASchemaWhereOthersCreate() throws SQLException {
        TestRole application = TestRole.create(postgres);
        for (String role : List.of("PUBLIC", Identifiers.quote(application.name()))) {
            owner.run(
                    "DROP SCHEMA IF EXISTS shared_views CASCADE; CREATE SCHEMA shared_views; GRANT CREATE ON SCHEMA shared_views TO "
                            + role);

            assertThatThrownBy(() -> views("holdco", new Schema("shared_views")).create(owner.dataSource()))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("shared_views")
                    .hasMessageContaining("REVOKE CREATE");
        }
    }

    @Test
    void theyAreReplacedAlthoughTheirServiceMayCreateThere() throws SQLException {
        TestRole service = TestRole.create(postgres);
        SeedViews views = views("holdco", new Schema("views_of_holdco"));
        views.create(owner.dataSource());
        views.grant(owner.dataSource(), service.name());

        views.create(owner.dataSource());

        assertThat(service.rows("SELECT * FROM views_of_holdco.event_outbox")).isEmpty();
    }

    private static boolean succeeds(Connection connection, String sql) {
        try {
            TestPostgres.run(connection, sql);
            return true;
        } catch (SQLException refused) {
            return false;
        }
    }
}
