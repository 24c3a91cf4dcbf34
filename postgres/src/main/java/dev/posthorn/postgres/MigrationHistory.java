package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/** What one database remembers of its migrations. */
final class MigrationHistory {

    private record Applied(String name, String checksum, int oldestProcess) {}

    private final Schema schema;
    private final boolean schemaExists;
    private final boolean tableExists;
    private final NavigableMap<Integer, Applied> applied = new TreeMap<>();
    private OptionalInt lanes = OptionalInt.empty();

    private MigrationHistory(Schema schema, boolean schemaExists, boolean tableExists) {
        this.schema = schema;
        this.schemaExists = schemaExists;
        this.tableExists = tableExists;
    }

    /** Reads it in the connection's transaction; an empty database has an empty history. */
    static MigrationHistory read(Connection connection, Schema schema) throws SQLException {
        MigrationHistory history = find(connection, schema);
        if (history.tableExists) {
            history.readApplied(connection);
        }
        return history;
    }

    private static MigrationHistory find(Connection connection, Schema schema) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.load("migration_table", schema))) {
            new Parameters(statement).text("schema", schema.quoted()).text("table", schema.quoted() + ".migration");
            try (ResultSet result = statement.executeQuery()) {
                result.next();
                return new MigrationHistory(schema, result.getBoolean(1), result.getBoolean(2));
            }
        }
    }

    private void readApplied(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet result = statement.executeQuery(Sql.load("migration_history", schema))) {
                while (result.next()) {
                    applied.put(
                            result.getInt(1), new Applied(result.getString(2), result.getString(3), result.getInt(4)));
                }
            }
            if (applied.isEmpty()) {
                return;
            }
            try (ResultSet result = statement.executeQuery(Sql.load("migration_lanes", schema))) {
                result.next();
                lanes = OptionalInt.of(result.getInt(1));
            }
        }
    }

    boolean hasSchema() {
        return schemaExists;
    }

    boolean hasTable() {
        return tableExists;
    }

    /** Returns the names of the schemas of this database that hold a log, apart from this one. */
    List<String> otherLogs(Connection connection) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(Sql.load("migration_other_logs", schema))) {
            new Parameters(statement).text("schema", schema.quoted());
            try (ResultSet rows = statement.executeQuery()) {
                List<String> names = new ArrayList<>();
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
                return names;
            }
        }
    }

    boolean has(Migration migration) {
        return applied.containsKey(migration.version());
    }

    /** The lane count that the log was created with, if it was. */
    OptionalInt lanes() {
        return lanes;
    }

    /** Returns a sentence about migrations that are newer than this version, which works with them all the same. */
    Optional<String> note(List<Migration> migrations) {
        int newest = migrations.get(migrations.size() - 1).version();
        return applied.isEmpty() || applied.lastKey() <= newest
                ? Optional.empty()
                : Optional.of("the schema \"" + schema.name() + "\" has migration " + applied.lastKey() + " ("
                        + applied.lastEntry().getValue().name() + "), which is newer than this version knows (" + newest
                        + "); this process works with it and can be upgraded at any time");
    }

    /** Returns the faults that applying the missing migrations does not remove. */
    List<String> conflicts(List<Migration> migrations, OptionalInt wantedLanes) {
        List<String> faults = new ArrayList<>();
        int newest = migrations.get(migrations.size() - 1).version();
        applied.forEach((version, entry) -> {
            if (version > newest && entry.oldestProcess() > newest) {
                faults.add("it has migration " + version + " (" + entry.name() + "), which needs processes that know"
                        + " migration " + entry.oldestProcess() + ", and this version knows " + newest
                        + ": upgrade this process");
            }
        });
        for (Migration migration : migrations) {
            Applied entry = applied.get(migration.version());
            if (entry != null && !entry.checksum().equals(migration.checksum())) {
                faults.add("migration " + migration + " was applied with another content (checksum "
                        + entry.checksum().substring(0, 8) + ", now "
                        + migration.checksum().substring(0, 8) + "): use the build that applied it");
            }
        }
        if (lanes.isPresent() && wantedLanes.isPresent() && lanes.getAsInt() != wantedLanes.getAsInt()) {
            faults.add("it was created with " + lanes.getAsInt() + " lanes and " + wantedLanes.getAsInt()
                    + " were asked for: the count is fixed, ask for " + lanes.getAsInt()
                    + " or create another schema");
        }
        return faults;
    }
}
