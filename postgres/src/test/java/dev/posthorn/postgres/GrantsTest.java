package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("slow")
class GrantsTest {

    private static final Schema SCHEMA = new Schema("my-events' \"log\"");
    private static final Grants GRANTS = new Grants(SCHEMA);
    private static final String PUBLIC = "0";

    private static TestPostgres postgres;

    @BeforeAll
    static void migrate() {
        postgres = TestPostgres.empty();
        new Migrations(SCHEMA).migrate(postgres.dataSource());
    }

    @ParameterizedTest
    @EnumSource
    void whatIsPrintedIsWhatIsGranted(RoleKind kind) throws SQLException {
        // Given
        TestRole granted = TestRole.create(postgres, SCHEMA, kind);
        TestRole printed = TestRole.create(postgres);

        // When
        postgres.run(GRANTS.print(kind, printed.name()));

        // Then
        assertThat(rightsOf(printed)).isEqualTo(rightsOf(granted)).contains("schema|USAGE");
    }

    @ParameterizedTest
    @EnumSource
    void grantingAgainChangesNothing(RoleKind kind) throws SQLException {
        // Given
        TestRole role = TestRole.create(postgres, SCHEMA, kind);
        List<String> before = rightsOf(role);

        // When
        GRANTS.apply(postgres.dataSource(), kind, role.name());

        // Then
        assertThat(rightsOf(role)).isEqualTo(before);
    }

    @Test
    void revokingTakesWhateverWasGranted() throws SQLException {
        // Given
        TestRole role = TestRole.create(postgres);
        for (RoleKind kind : RoleKind.values()) {
            GRANTS.apply(postgres.dataSource(), kind, role.name());
        }

        // When
        revoke(role.name());

        // Then
        assertThat(rightsOf(role)).isEmpty();
        postgres.run("DROP ROLE " + Identifiers.quote(role.name()));
    }

    @Test
    void aMemberHasTheRightsOfItsGroup() throws SQLException {
        // Given
        TestRole group = TestRole.create(postgres, SCHEMA, RoleKind.PRODUCER);
        TestRole member = TestRole.create(postgres);

        // When
        postgres.run("GRANT " + Identifiers.quote(group.name()) + " TO " + Identifiers.quote(member.name()));

        // Then
        member.run(SCHEMA.in("SELECT {schema}.emit('shop', 'placed', '{}')"));
        member.assertMayNot(SCHEMA.in("SELECT id FROM {schema}.outbox"));
    }

    @Test
    void anOperatorMayWhateverAViewerMay() throws SQLException {
        List<String> operator = rightsOf(TestRole.create(postgres, SCHEMA, RoleKind.OPERATOR));
        List<String> viewer = rightsOf(TestRole.create(postgres, SCHEMA, RoleKind.VIEWER));

        assertThat(operator).contains("outbox|SELECT");
        assertThat(operator)
                .containsAll(viewer.stream()
                        .filter(right -> !operator.contains(right.replaceAll("\\..*", "|SELECT"))) // of the whole table
                        .toList());
    }

    @ParameterizedTest
    @EnumSource
    void whoMigratesNeedNotGrantAgain(RoleKind kind) throws SQLException {
        // Given
        TestPostgres old = TestPostgres.empty();
        String script = new Migrations(SCHEMA).print();
        old.run(script.substring(0, script.indexOf("\n-- 0030_stamp\n")) + "\nCOMMIT;");
        TestRole role = TestRole.create(old, SCHEMA, kind);

        // When
        new Migrations(SCHEMA).migrate(old.dataSource());

        // Then
        assertThat(rightsOf(role)).isEqualTo(rightsOf(TestRole.create(old, SCHEMA, kind)));
    }

    /** Fails for a migration that creates a function and leaves it to everybody, which is what Postgres does. */
    @Test
    void everybodyMayNothing() throws SQLException {
        assertThat(rights(postgres, PUBLIC)).isEmpty();
    }

    @Test
    void theKindsAreThoseOfTheMigrations() throws SQLException {
        assertThat(postgres.rows(SCHEMA.in("SELECT kind FROM {schema}.role_kind")))
                .containsExactlyInAnyOrder("producer", "relay", "consumer", "viewer", "operator");
        for (RoleKind kind : RoleKind.values()) {
            assertThat(GRANTS.print(kind, "r")).startsWith("GRANT USAGE ON SCHEMA");
        }
    }

    @Test
    void anUnknownKindIsRefusedWithThoseThereAre() {
        assertThatThrownBy(() -> postgres.rows(SCHEMA.in("SELECT {schema}.grant_role('admin', 'postgres')")))
                .hasMessageContaining("there is no kind of role \"admin\"")
                .hasMessageContaining("consumer, operator, producer, relay, viewer");
    }

    @Test
    void aRoleThatDoesNotExistIsRefused() {
        assertThatThrownBy(() -> GRANTS.apply(postgres.dataSource(), RoleKind.VIEWER, "nobody"))
                .isInstanceOf(PosthornException.class)
                .hasMessage("There is no role \"nobody\". Create it first; Posthorn creates no roles.");
        assertThatThrownBy(() -> revoke("nobody")).hasMessageContaining("there is no role \"nobody\"");
    }

    @Test
    void everybodyIsNoRole() {
        assertThatThrownBy(() -> GRANTS.apply(postgres.dataSource(), RoleKind.VIEWER, "public"))
                .hasMessageContaining("There is no role \"public\"");
        assertThatThrownBy(() -> GRANTS.print(RoleKind.VIEWER, "public")).hasMessageContaining("everybody");
    }

    @Test
    void aSchemaOlderThanThisVersionIsNamed() {
        assertThatThrownBy(() -> new Grants(Schema.DEFAULT).apply(postgres.dataSource(), RoleKind.VIEWER, "postgres"))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("Run the migrations");
    }

    private static void revoke(String role) throws SQLException {
        postgres.rows(SCHEMA.in("SELECT {schema}.revoke_role('" + role.replace("'", "''") + "')"));
    }

    private static List<String> rightsOf(TestRole role) throws SQLException {
        return rights(
                role.postgres(),
                "(SELECT oid FROM pg_roles WHERE rolname = '" + role.name().replace("'", "''") + "')");
    }

    /** Every right of a grantee in the schema, as the catalog has it. */
    private static List<String> rights(TestPostgres database, String grantee) throws SQLException {
        return database.rows("""
                SELECT found.object, found.privilege_type FROM (
                  SELECT 'schema' AS object, a.*
                  FROM pg_namespace n, aclexplode(coalesce(n.nspacl, acldefault('n', n.nspowner))) a
                  WHERE n.oid = to_regnamespace('%1$s')
                  UNION ALL
                  SELECT c.relname, a.*
                  FROM pg_class c, aclexplode(coalesce(c.relacl, acldefault('r', c.relowner))) a
                  WHERE c.relnamespace = to_regnamespace('%1$s') AND c.relkind <> 'i'
                  UNION ALL
                  SELECT c.relname || '.' || t.attname, a.*
                  FROM pg_class c JOIN pg_attribute t ON t.attrelid = c.oid, aclexplode(t.attacl) a
                  WHERE c.relnamespace = to_regnamespace('%1$s')
                  UNION ALL
                  SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')', a.*
                  FROM pg_proc p, aclexplode(coalesce(p.proacl, acldefault('f', p.proowner))) a
                  WHERE p.pronamespace = to_regnamespace('%1$s')
                ) AS found
                WHERE found.grantee = %2$s
                ORDER BY 1, 2
                """.formatted(SCHEMA.quoted().replace("'", "''"), grantee));
    }
}
