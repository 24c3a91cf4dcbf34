package dev.posthorn.examples.licenses;

import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SeedViews;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The tables of the API and of the worker, each in a schema of its own. A notice has no unique key on purpose, so that one which is
 * there twice would be seen.
 */
public final class Tables {

    /** Of the view outbox_events, for services that still write SQL. */
    public static final Schema VIEWS = new Schema("licenses");

    private static final String ALL = """
            CREATE SCHEMA IF NOT EXISTS marketplace;
            CREATE TABLE IF NOT EXISTS marketplace.license (
              id text PRIMARY KEY, store_id text NOT NULL, status text NOT NULL, reason text, version int NOT NULL
            ) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS marketplace.license_change (
              license_id text NOT NULL, version int NOT NULL, store_id text NOT NULL, status text NOT NULL, reason text,
              event_id uuid NOT NULL UNIQUE, PRIMARY KEY (license_id, version)
            );
            CREATE SCHEMA IF NOT EXISTS compliance;
            CREATE TABLE IF NOT EXISTS compliance.notifications (
              n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, type text NOT NULL, audience text NOT NULL, store_id text,
              license_id text NOT NULL, message text NOT NULL, link text NOT NULL, reason text, event_id uuid NOT NULL,
              created_at timestamptz NOT NULL DEFAULT now()
            );
            """;

    private Tables() {}

    /** Makes them, and the view over a log that is there already. */
    public static void create(DataSource database) throws SQLException {
        SeedViews.licenses(Schema.DEFAULT, VIEWS).create(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(ALL);
        }
    }
}
