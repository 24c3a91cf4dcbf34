package dev.posthorn.examples.transfers;

import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SeedViews;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/**
 * The tables of all services, each in a schema of its own; in production each would be in a database of its own. What must not
 * happen twice has no unique key on purpose, so that it would be seen.
 */
public final class Tables {

    /** Of the views outbox and inbox, for services that still write SQL. */
    public static final Schema VIEWS = new Schema("transfers");

    private static final String ALL = """
            CREATE SCHEMA IF NOT EXISTS cts;
            CREATE TABLE IF NOT EXISTS cts.transfer (
              id text PRIMARY KEY, tenant text NOT NULL, amount numeric(12,2) NOT NULL, payer text NOT NULL, payee text NOT NULL,
              state text NOT NULL
            ) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS cts.timeline (
              n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transfer_id text NOT NULL, what text NOT NULL,
              event_id uuid NOT NULL
            );
            CREATE SCHEMA IF NOT EXISTS directory;
            CREATE TABLE IF NOT EXISTS directory.route (
              payee text PRIMARY KEY, rail text NOT NULL, version bigint NOT NULL DEFAULT 1
            );
            CREATE SCHEMA IF NOT EXISTS gateway;
            CREATE TABLE IF NOT EXISTS gateway.submission (
              transfer_id text NOT NULL, event_id uuid NOT NULL, reference text NOT NULL, amount numeric(12,2) NOT NULL
            );
            CREATE SCHEMA IF NOT EXISTS ledger;
            CREATE TABLE IF NOT EXISTS ledger.entry (
              transfer_id text NOT NULL, type text NOT NULL, account text NOT NULL, amount numeric(12,2) NOT NULL,
              PRIMARY KEY (transfer_id, type, account)
            );
            CREATE SCHEMA IF NOT EXISTS projections;
            CREATE TABLE IF NOT EXISTS projections.timeline (
              n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, transfer_id text NOT NULL, what text NOT NULL,
              event_id uuid NOT NULL, occurred_at timestamptz NOT NULL
            );
            CREATE TABLE IF NOT EXISTS projections.dashboard (
              transfer_id text PRIMARY KEY, tenant text NOT NULL, amount numeric(12,2) NOT NULL, state text NOT NULL
            ) WITH (fillfactor = 50);
            CREATE SCHEMA IF NOT EXISTS rail;
            CREATE TABLE IF NOT EXISTS rail.payment (
              idempotency_key text PRIMARY KEY, reference text NOT NULL, transfer_id text NOT NULL, amount numeric(12,2) NOT NULL,
              calls int NOT NULL
            );
            """;

    private Tables() {}

    /** Makes them, and the views over a log that is there already. */
    public static void create(DataSource database) throws SQLException {
        SeedViews.transfers(Schema.DEFAULT, VIEWS).create(database);
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(ALL);
        }
    }
}
