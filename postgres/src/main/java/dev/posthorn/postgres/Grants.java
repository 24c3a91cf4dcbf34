package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/**
 * The rights of each kind of role in a schema.
 *
 * <p>They stand in the migrations, between the dollar tags of the kind, and nowhere else. A block behind {@code grants ||}
 * adds to those before it, any other replaces them. Thread-safe.
 */
public final class Grants {

    private static final String ROLE = "{role}";

    private final Schema schema;

    public Grants(Schema schema) {
        this.schema = schema;
    }

    /**
     * The statements that give them to this role, for psql and the owner of the schema.
     *
     * @throws IllegalArgumentException if there can be no role of this name
     */
    public String print(RoleKind kind, String role) {
        if (role.equals("public")) {
            throw new IllegalArgumentException("\"public\" is everybody, quoted or not. Name a role.");
        }
        Pattern block = Pattern.compile("(grants \\|\\| )?\\$" + kind + "\\$(.*?)\\$" + kind + "\\$", Pattern.DOTALL);
        List<String> blocks = new ArrayList<>();
        Migration.all().stream()
                .flatMap(migration -> block.matcher(migration.template()).results())
                .forEach(found -> {
                    if (found.group(1) == null) {
                        blocks.clear();
                    }
                    blocks.add(found.group(2).strip());
                });
        String statements = String.join("\n", blocks);
        return schema.in(statements.replace(ROLE, Identifiers.quote(role))) + "\n";
    }

    /**
     * Gives them to this role, which must exist. Needs the owner of the schema.
     *
     * <p>Doing it again is harmless. The role keeps what it had before; what a later migration adds, that one gives it too.
     *
     * @throws dev.posthorn.event.PosthornException if there is no such role, or the schema is older than this version
     */
    public void apply(DataSource database, RoleKind kind, String role) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = connection.prepareStatement(Sql.load("grant_role", schema))) {
            new Parameters(statement).name("kind of role", kind.toString()).name("role", role);
            statement.execute();
        } catch (SQLException e) {
            throw OperatorErrors.translate("grant the rights of a " + kind + " in the schema", schema, e);
        }
    }
}
