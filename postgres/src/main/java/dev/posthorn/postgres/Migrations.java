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
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Brings a database's schema to what this version needs.
 *
 * <p>Each migration is one transaction. Any number of processes may migrate at once: one works, the others wait for it
 * and find the work done.
 *
 * <p>A migration declares the oldest process that can work with it. A process works with a newer schema unless a migration of it
 * needs a newer process. Never changes such a schema, or one whose migrations differ from the ones that ship. Thread-safe.
 */
public final class Migrations {

    public static final int DEFAULT_LANES = 16;
    public static final int MOST_LANES = 256;

    private static final Logger LOG = LoggerFactory.getLogger(Migrations.class);

    private final Schema schema;
    private final OptionalInt lanes;
    private final boolean besideOthers;
    private final List<Migration> migrations;

    /** For a schema with whatever lane count it has, or {@value #DEFAULT_LANES} if it is to be created. */
    public Migrations(Schema schema) {
        this(schema, OptionalInt.empty(), false, Migration.all());
    }

    /** As another version of the product would have them. */
    Migrations(Schema schema, List<Migration> migrations) {
        this(schema, OptionalInt.empty(), false, migrations);
    }

    private Migrations(Schema schema, OptionalInt lanes, boolean besideOthers, List<Migration> migrations) {
        this.schema = schema;
        this.lanes = lanes;
        this.besideOthers = besideOthers;
        this.migrations = migrations;
    }

    /**
     * For a schema with this lane count, 1 to {@value #MOST_LANES}.
     *
     * <p>The count is fixed when the schema is created. It bounds how many relays can share a route; each lane costs a
     * little on every poll.
     */
    public Migrations(Schema schema, int lanes) {
        this(schema, OptionalInt.of(checked(lanes)), false, Migration.all());
    }

    private static int checked(int lanes) {
        if (lanes < 1 || lanes > MOST_LANES) {
            throw new IllegalArgumentException("lanes is " + lanes + ", but must be 1 to " + MOST_LANES);
        }
        return lanes;
    }

    /** Returns migrations that create a log also in a database that has one in another schema. */
    public Migrations besideOtherLogs() {
        return new Migrations(schema, lanes, true, migrations);
    }

    /**
     * Applies what is missing. Roles that have the rights of a {@link RoleKind} get what is added to it. A log that does not exist
     * is created in one transaction, so no other process sees a part of it. A newer schema that this version works with stays as
     * it is.
     *
     * @throws InvalidSchemaException if the schema needs a newer version, is changed, or has another lane count; or if it has no
     *     log, another schema has one, and {@link #besideOtherLogs} does not allow that
     */
    public void migrate(DataSource database) {
        inTransactions(database, connection -> {
            MigrationHistory history = lockAndRead(connection);
            int applied = history.hasTable() ? update(connection) : create(connection, history);
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
     * Prepares the schema for a process that starts.
     *
     * @param migrate true: applies what is missing; false: only checks; empty: creates a log where there is none, and only checks
     *     otherwise
     * @param setting the setting that applies what is missing, as a refusal names it
     * @throws InvalidSchemaException as by {@link #migrate} and {@link #validate}
     */
    public void prepare(DataSource database, Optional<Boolean> migrate, String setting) {
        if (migrate.orElseGet(() -> !hasLog(database))) {
            migrate(database);
        } else {
            check(database, Optional.of(setting));
        }
    }

    private boolean hasLog(DataSource database) {
        AtomicBoolean found = new AtomicBoolean();
        inTransactions(
                database,
                connection ->
                        found.set(MigrationHistory.read(connection, schema).hasTable()));
        return found.get();
    }

    /**
     * Changes nothing. A newer schema is valid if this version works with it; see {@link #note}.
     *
     * @throws InvalidSchemaException with everything that is missing, too new, changed, or of another lane count
     */
    public void validate(DataSource database) {
        check(database, Optional.empty());
    }

    private void check(DataSource database, Optional<String> setting) {
        inTransactions(database, connection -> {
            MigrationHistory history = MigrationHistory.read(connection, schema);
            List<String> faults = new ArrayList<>();
            if (history.hasTable()) {
                faults.addAll(history.conflicts(migrations, lanes));
                missing(history, setting).ifPresent(faults::add);
            } else {
                faults.add(absence(history.otherLogs(connection)));
            }
            if (!faults.isEmpty()) {
                throw new InvalidSchemaException(schema, faults);
            }
        });
    }

    private Optional<String> missing(MigrationHistory history, Optional<String> setting) {
        List<Migration> missing =
                migrations.stream().filter(migration -> !history.has(migration)).toList();
        if (missing.isEmpty()) {
            return Optional.empty();
        }
        String last = missing.get(missing.size() - 1).toString();
        return Optional.of((missing.size() == 1
                        ? "migration " + last + " is missing"
                        : "migrations " + missing.get(0) + " to " + last + " are missing")
                + ": run " + command() + " as the owner of the schema"
                + setting.map(words -> ", or start one process with " + words).orElse(""));
    }

    /**
     * Returns a sentence if the schema is newer than this version, which works with it. Empty also if that cannot be seen: not with
     * the rights of this login, or not now.
     */
    public Optional<String> note(DataSource database) {
        List<String> note = new ArrayList<>();
        try {
            inTransactions(
                    database,
                    connection -> MigrationHistory.read(connection, schema)
                            .note(migrations)
                            .ifPresent(note::add));
        } catch (PosthornException unseen) {
            LOG.debug("Not seen whether the schema is newer", unseen);
        }
        return note.stream().findFirst();
    }

    /**
     * Returns what {@link #validate} would throw. Empty if nothing is wrong, or if that cannot be seen: not with the rights of this
     * login, or not now.
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

    private String command() {
        return "posthorn schema migrate --schema " + schema.quoted();
    }

    private String absence(List<String> others) {
        return others.isEmpty()
                ? "there is no log in it: create one with " + command()
                : "there is no log in it, but there is one in " + String.join(", ", others)
                        + ": correct the name of the schema, or create a separate log with " + command()
                        + " --another-log";
    }

    /**
     * Returns a sentence for each index that a migration created and that is missing or invalid now. Nothing is lost without
     * one, but statements that it serves become slower as the log grows. Says nothing of a newer schema, which may have replaced
     * some.
     */
    public List<String> missingIndexes(DataSource database) {
        List<String> missing = new ArrayList<>();
        inTransactions(database, connection -> {
            MigrationHistory history = MigrationHistory.read(connection, schema);
            if (history.note(migrations).isPresent()) {
                return;
            }
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
            if (migration.isDeclared()) {
                script.append(declarationOf(migration)).append(";\n");
            }
        }
        return script.append("\nCOMMIT;\n").toString();
    }

    private String recordOf(Migration migration) {
        return Sql.load("migration_record", schema)
                .replaceFirst("\\?", Integer.toString(migration.version()))
                .replaceFirst("\\?", "'" + migration.name() + "'")
                .replaceFirst("\\?", "'" + migration.checksum() + "'");
    }

    private String declarationOf(Migration migration) {
        return Sql.load("migration_declare", schema)
                .replaceFirst("\\?", Integer.toString(migration.oldestProcess()))
                .replaceFirst("\\?", Integer.toString(migration.version()));
    }

    private int create(Connection connection, MigrationHistory history) throws SQLException {
        List<String> others = besideOthers ? List.of() : history.otherLogs(connection);
        if (!others.isEmpty()) {
            throw new InvalidSchemaException(schema, List.of(absence(others)));
        }
        if (!history.hasSchema()) {
            execute(connection, Sql.load("migration_schema", schema));
        }
        execute(connection, Sql.load("migration_create", schema));
        for (Migration migration : migrations) {
            apply(connection, migration, lanes.orElse(DEFAULT_LANES));
        }
        connection.commit();
        return migrations.size();
    }

    /** Returns how many migrations were missing. Others may migrate meanwhile. */
    private int update(Connection connection) throws SQLException {
        connection.commit();
        int applied = 0;
        for (Migration migration : migrations) {
            MigrationHistory history = lockAndRead(connection);
            if (!history.has(migration)) {
                apply(connection, migration, history.lanes().orElse(lanes.orElse(DEFAULT_LANES)));
                applied++;
            }
            connection.commit();
        }
        return applied;
    }

    private void apply(Connection connection, Migration migration, int count) throws SQLException {
        execute(connection, migration.sql(schema, count));
        try (PreparedStatement statement = connection.prepareStatement(Sql.load("migration_record", schema))) {
            new Parameters(statement)
                    .value(migration.version())
                    .name("migration", migration.name())
                    .name("checksum", migration.checksum());
            statement.executeUpdate();
        }
        if (migration.isDeclared()) {
            execute(connection, declarationOf(migration));
        }
        if (migration.equals(migrations.get(migrations.size() - 1))) {
            execute(connection, Sql.load("renew_grants", schema)); // with it, so that none is left without
        }
        LOG.debug("Applied migration {} to schema {}", migration, schema.name());
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
