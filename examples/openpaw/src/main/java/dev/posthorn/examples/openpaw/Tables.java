package dev.posthorn.examples.openpaw;

import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SeedViews;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The tables of all services, each in a schema of its own. What must not happen twice has no unique key on purpose, so that it
 * would be seen; the points, which are idempotent by themselves, have one.
 */
public final class Tables {

    /** Of the views outbox, inbox, workflow_runs and workflow_step_logs. */
    public static final Schema VIEWS = new Schema("openpaw");

    private static final String ALL = """
            CREATE SCHEMA IF NOT EXISTS registry;
            CREATE TABLE IF NOT EXISTS registry.assets (
              site text NOT NULL, id text NOT NULL, latest int NOT NULL, PRIMARY KEY (site, id)
            ) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS registry.asset_versions (
              site text NOT NULL, asset_id text NOT NULL, version int NOT NULL, tenant_id text NOT NULL, author text NOT NULL,
              event_id uuid NOT NULL, copy_of uuid, PRIMARY KEY (site, asset_id, version)
            );
            CREATE SCHEMA IF NOT EXISTS rewards;
            CREATE TABLE IF NOT EXISTS rewards.ledger_entries (
              run_id uuid NOT NULL, tenant_id text NOT NULL, author text NOT NULL, site text NOT NULL, asset_id text NOT NULL,
              version int NOT NULL, amount numeric(12,2) NOT NULL
            );
            CREATE SCHEMA IF NOT EXISTS reputation;
            CREATE TABLE IF NOT EXISTS reputation.arrivals (
              n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id uuid NOT NULL, type text NOT NULL, site text NOT NULL,
              asset_id text NOT NULL, version int NOT NULL
            );
            CREATE TABLE IF NOT EXISTS reputation.points (
              site text NOT NULL, asset_id text NOT NULL, version int NOT NULL, what text NOT NULL, author text NOT NULL,
              points numeric(12,2) NOT NULL, PRIMARY KEY (site, asset_id, version, what)
            );
            """;

    private Tables() {}

    /** Makes them, and the views over a log that is there already. */
    public static void create(DataSource database) throws SQLException {
        SeedViews.openpaw(Schema.DEFAULT, VIEWS).create(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(ALL);
        }
    }
}
