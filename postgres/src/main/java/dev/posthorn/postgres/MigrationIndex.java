package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An index that a migration creates.
 *
 * @param statement the statement that creates the index
 */
record MigrationIndex(String name, String statement) {

    private static final Pattern CHANGE = Pattern.compile(
            "^CREATE (?:UNIQUE )?INDEX (?<created>\\w+) ON [^;]+;|^DROP INDEX (?:\\{schema}\\.)?(?<dropped>\\w+)",
            Pattern.MULTILINE);

    /** Returns the indexes that exist after these migrations, apart from those of primary keys and unique constraints. */
    static List<MigrationIndex> after(List<Migration> migrations) {
        Map<String, MigrationIndex> indexes = new LinkedHashMap<>();
        for (Migration migration : migrations) {
            Matcher change = CHANGE.matcher(migration.template());
            while (change.find()) {
                String created = change.group("created");
                if (created == null) {
                    indexes.remove(change.group("dropped"));
                } else {
                    indexes.put(created, new MigrationIndex(created, change.group()));
                }
            }
        }
        return List.copyOf(indexes.values());
    }

    /** Returns the names of the indexes that the schema has and the planner can use. */
    static Set<String> usable(Connection connection, Schema schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.load("migration_indexes", schema))) {
            new Parameters(statement).text("schema", schema.quoted());
            try (ResultSet rows = statement.executeQuery()) {
                Set<String> names = new HashSet<>();
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
                return names;
            }
        }
    }

    /** Returns what is wrong if the schema lacks the index, with the statement that creates it again. */
    String absence(Schema schema) {
        return "index " + name + " is missing or invalid. Drop it if it is there, and run: "
                + schema.in(statement)
                        .replaceFirst("INDEX", "INDEX CONCURRENTLY")
                        .replaceAll("\\s+", " ");
    }
}
