package dev.posthorn.postgres;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Whether the roles of relays may do what a relay does. */
final class RoleChecks {

    private static final Pattern GRANT =
            Pattern.compile("GRANT (.+?) ON (SCHEMA |SEQUENCE |FUNCTION |)(.+?) TO ", Pattern.DOTALL);

    /** One right. */
    private record Right(String kind, String privilege, String object) {}

    private RoleChecks() {}

    static boolean look(Examination of) throws SQLException {
        List<String> roles = roles(of);
        if (roles.isEmpty() && of.setup().relayRole().isPresent()) {
            of.found(
                    "grants",
                    true,
                    "there is no role " + of.setup().relayRole().get(),
                    "Create it with CREATE ROLE, or correct --relay-role.");
        }
        for (String role : roles) {
            List<String> missing = missing(of, role);
            if (!missing.isEmpty()) {
                of.found(
                        "grants",
                        true,
                        "role " + role + " lacks rights of a relay: " + String.join(", ", missing),
                        "A relay under this role fails wherever it needs them. As the owner of the schema run: posthorn"
                                + " schema grants relay --to \"" + role + "\" --apply.");
            }
        }
        return true;
    }

    private static List<String> roles(Examination of) throws SQLException {
        @Nullable String asked = of.setup().relayRole().orElse(null);
        try (PreparedStatement query = of.connection().prepareStatement(Sql.load("doctor_relay_roles", of.schema()))) {
            new Parameters(query).name("role", asked).name("schema", of.schema().name());
            return first(query);
        }
    }

    private static List<String> missing(Examination of, String role) throws SQLException {
        List<Right> rights = rights(of.schema());
        try (PreparedStatement query = of.connection().prepareStatement(Sql.load("doctor_grants", of.schema()))) {
            new Parameters(query)
                    .name("schema", of.schema().name())
                    .name("role", role)
                    .texts("kind", rights, Right::kind)
                    .texts("privilege", rights, Right::privilege)
                    .texts("object", rights, Right::object);
            return first(query);
        }
    }

    private static List<String> first(PreparedStatement query) throws SQLException {
        try (ResultSet rows = query.executeQuery()) {
            List<String> found = new ArrayList<>();
            while (rows.next()) {
                found.add(rows.getString(1));
            }
            return found;
        }
    }

    /** What the grants of a relay say; they name whole tables and functions, without columns and arguments. */
    private static List<Right> rights(Schema schema) {
        List<Right> rights = new ArrayList<>();
        String prefix = schema.quoted() + ".";
        Matcher grants = GRANT.matcher(new Grants(schema).print(RoleKind.RELAY, "role"));
        while (grants.find()) {
            String kind = grants.group(2).isEmpty() ? "TABLE" : grants.group(2).strip();
            for (String object : grants.group(3).split(",", -1)) {
                String name = object.strip();
                String bare = name.startsWith(prefix) ? name.substring(prefix.length()) : schema.name();
                for (String privilege : grants.group(1).split(",", -1)) {
                    rights.add(new Right(kind, privilege.strip(), bare));
                }
            }
        }
        return rights;
    }
}
