package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database's schema to what this version needs.
 *
 * <p>Each migration is one transaction. Any number of processes may migrate at once: one works, the others wait for it
 * and find the work done.
 *
 * <p>Never changes a schema that is newer than this version, or whose migrations differ from the ones that ship.
 * Thread-safe.
 */
public final class Migrations {

    public static final int DEFAULT_LANES = 16;
    public static final int MOST_LANES = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    private final Schema schema;
    private final OptionalInt lanes;
    private final boolean besideOthers;
    private final List<Migration> migrations = Migration.all();

    /** For a schema with whatever lane count it has, or {@value #DEFAULT_LANES} if it is to be created. */
    public Migrations(Schema schema) {
        this(schema, OptionalInt.empty(), false);
    }

    private Migrations(Schema schema, OptionalInt lanes, boolean besideOthers) {
        this.schema = schema;
        this.lanes = lanes;
        this.besideOthers = besideOthers;
    }

    /**
     * For a schema with this lane count, 1 to {@value #MOST_LANES}.
     *
     * <p>The count is fixed when the schema is created. It bounds how many relays can share a route; each lane costs a
     * little on every poll.
     */
    public Migrations(Schema schema, int lanes) {
        this(schema, OptionalInt.of(checked(lanes)), false);
    }

    private static int checked(int lanes) {
        if (lanes < 1 || lanes > MOST_LANES) {
            throw new IllegalArgumentException("lanes is " + lanes + ", but must be 1 to " + MOST_LANES);
        }
        return lanes;
    }

    /** Returns migrations that create a log also in a database that has one in another schema. */
    public Migrations besideOtherLogs() {
        return new Migrations(schema, lanes, true);
    }

    /**
     * Applies what is missing. Roles that have the rights of a {@link RoleKind} get what is added to it.
     *
     * @throws InvalidSchemaException if the schema is newer, changed, or has another lane count; or if it has no log, another
     *     schema has one, and {@link #besideOtherLogs} does not allow that
     */
    public void migrate(DataSource database) {
        inTransactions(database, connection -> {
            prepare(connection);
            connection.commit();
            int applied = 0;
            for (Migration migration : migrations) {
                applied += apply(connection, migration) ? 1 : 0;
                connection.commit();
            }
            if (applied > 0) {
                LOG.info(
                        "Applied {} migrations to schema {}, up to {}",
                        applied,
                        schema.name(),
                        migrations.get(migrations.size() - 1));
            }
        });
    }

    /**
     * Changes nothing.
     *
     * @throws InvalidSchemaException with everything that is missing, newer, changed, or of another lane count
     */
    public void validate(DataSource database) {
        inTransactions(database, connection -> {
            MigrationHistory history = MigrationHistory.read(connection, schema);
            if (!history.hasTable()) {
                throw new InvalidSchemaException(schema, List.of(absence(history.otherLogs(connection))));
            }
            List<String> faults = new ArrayList<>(history.conflicts(migrations, lanes));
            for (Migration migration : migrations) {
                if (!history.has(migration)) {
                    faults.add("migration " + migration + " is missing: migrate, or run the printed script");
                }
            }
            if (!faults.isEmpty()) {
                throw new InvalidSchemaException(schema, faults);
            }
        });
    }

    /**
     * What {@link #validate} would throw, also of a schema that a newer version has migrated. Empty if nothing is wrong, or if
     * that can not be seen: not with the rights of this login, or not now.
     */
    public Optional<String> trouble(DataSource database) {
        try {
            validate(database);
            return Optional.empty();
        } catch (InvalidSchemaException invalid) {
            return Optional.of(String.valueOf(invalid.getMessage()));
        } catch (PosthornException unseen) {
            return Optional.empty();
        }
    }

    private String absence(List<String> others) {
        String command = "posthorn schema migrate --schema " + schema.quoted();
        return others.isEmpty()
                ? "there is no log in it: create one with " + command
                : "there is no log in it, but there is one in " + String.join(", ", others)
                        + ": correct the name of the schema, or create a separate log with " + command
                        + " --another-log";
    }

    /**
     * Returns a sentence for each index that a migration created and that is missing or invalid now. Nothing is lost without
     * one, but statements that it serves become slower as the log grows.
     */
    public List<String> missingIndexes(DataSource database) {
        List<String> missing = new ArrayList<>();
        inTransactions(database, connection -> {
            MigrationHistory history = MigrationHistory.read(connection, schema);
            Set<String> usable = MigrationIndex.usable(connection, schema);
            MigrationIndex.after(migrations.stream().filter(history::has).toList()).stream()
                    .filter(index -> !usable.contains(index.name()))
                    .forEach(index -> missing.add(index.absence(schema)));
        });
        return missing;
    }

    /** All of it as one script for psql, in one transaction, for an empty schema; it records the history too. */
    public String print() {
        StringBuilder script = new StringBuilder("BEGIN;\n\n");
        script.append(Sql.load("migration_schema", schema)).append(";\n\n");
        script.append(Sql.load("migration_create", schema)).append(";\n");
        for (Migration migration : migrations) {
            script.append("\n-- ").append(migration).append("\n\n");
            script.append(migration.sql(schema, lanes.orElse(DEFAULT_LANES)));
            script.append("\n").append(recordOf(migration)).append(";\n");
        }
        return script.append("\nCOMMIT;\n").toString();
    }

    private String recordOf(Migration migration) {
        return Sql.load("migration_record", schema)
                .replaceFirst("\\?", Integer.toString(migration.version()))
                .replaceFirst("\\?", "'" + migration.name() + "'")
                .replaceFirst("\\?", "'" + migration.checksum() + "'");
    }

    private void prepare(Connection connection) throws SQLException {
        MigrationHistory history = lockAndRead(connection);
        List<String> others = history.hasTable() || besideOthers ? List.of() : history.otherLogs(connection);
        if (!others.isEmpty()) {
            throw new InvalidSchemaException(schema, List.of(absence(others)));
        }
        if (!history.hasSchema()) {
            execute(connection, Sql.load("migration_schema", schema));
        }
        if (!history.hasTable()) {
            execute(connection, Sql.load("migration_create", schema));
        }
    }

    /** Returns whether there was anything to do. */
    private boolean apply(Connection connection, Migration migration) throws SQLException {
        MigrationHistory history = lockAndRead(connection);
        if (history.has(migration)) {
            return false;
        }
        int count = history.lanes().orElse(lanes.orElse(DEFAULT_LANES));
        execute(connection, migration.sql(schema, count));
        try (PreparedStatement statement = connection.prepareStatement(Sql.load("migration_record", schema))) {
            new Parameters(statement)
                    .value(migration.version())
                    .name("migration", migration.name())
                    .name("checksum", migration.checksum());
            statement.executeUpdate();
        }
        if (migration.equals(migrations.get(migrations.size() - 1))) {
            execute(connection, Sql.load("renew_grants", schema)); // with it, so that none is left without
        }
        LOG.debug("Applied migration {} to schema {}", migration, schema.name());
        return true;
    }

    private MigrationHistory lockAndRead(Connection connection) throws SQLException {
        execute(connection, Sql.load("migration_lock", schema));
        MigrationHistory history = MigrationHistory.read(connection, schema);
        List<String> conflicts = history.conflicts(migrations, lanes);
        if (!conflicts.isEmpty()) {
            throw new InvalidSchemaException(schema, conflicts);
        }
        return history;
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    private interface Work {
        void run(Connection connection) throws SQLException;
    }

    private void inTransactions(DataSource database, Work work) {
        try (Connection connection = database.getConnection()) {
            boolean autoCommit = connection.getAutoCommit();
            int isolation = connection.getTransactionIsolation();
            // What the process before us did must be visible once we have the lock, not only what was done before.
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            connection.setAutoCommit(false);
            try {
                work.run(connection);
            } finally {
                connection.rollback();
                connection.setTransactionIsolation(isolation);
                connection.setAutoCommit(autoCommit);
            }
        } catch (SQLException e) {
            throw new PosthornException(
                    "The schema \"" + schema.name() + "\" could not be read or migrated: " + e.getMessage()
                            + " (SQLState " + e.getSQLState() + "). What was applied before stays; fix the cause and"
                            + " start again." + DatabaseFailure.remedyOf(e),
                    e);
        }
    }
}
