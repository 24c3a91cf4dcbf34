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
    private final List<Migration> migrations = Migration.all();

    /** For a schema with whatever lane count it has, or {@value #DEFAULT_LANES} if it is to be created. */
    public Migrations(Schema schema) {
        this.schema = schema;
        this.lanes = OptionalInt.empty();
    }

    /**
     * For a schema with this lane count, 1 to {@value #MOST_LANES}.
     *
     * <p>The count is fixed when the schema is created. It bounds how many relays can share a route; each lane costs a
     * little on every poll.
     */
    public Migrations(Schema schema, int lanes) {
        if (lanes < 1 || lanes > MOST_LANES) {
            throw new IllegalArgumentException("lanes is " + lanes + ", but must be 1 to " + MOST_LANES);
        }
        this.schema = schema;
        this.lanes = OptionalInt.of(lanes);
    }

    /**
     * Applies what is missing. Roles that have the rights of a {@link RoleKind} get what is added to it.
     *
     * @throws InvalidSchemaException if the schema is newer, changed, or has another lane count
     */
    public void migrate(DataSource database) {
        inTransactions(database, connection -> {
            prepare(connection);
            connection.commit();
            for (Migration migration : migrations) {
                apply(connection, migration);
                connection.commit();
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
        if (!history.hasSchema()) {
            execute(connection, Sql.load("migration_schema", schema));
        }
        if (!history.hasTable()) {
            execute(connection, Sql.load("migration_create", schema));
        }
    }

    private void apply(Connection connection, Migration migration) throws SQLException {
        MigrationHistory history = lockAndRead(connection);
        if (history.has(migration)) {
            return;
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
        LOG.info("Applied migration {} to schema {}", migration, schema.name());
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
                            + " (SQLState " + e.getSQLState() + "). What was applied before stays; mend the cause and"
                            + " start again.",
                    e);
        }
    }
}
