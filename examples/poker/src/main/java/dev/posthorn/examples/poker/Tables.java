package dev.posthorn.examples.poker;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import javax.sql.DataSource;

/** What each part of the game keeps. What must not happen twice has no unique key on purpose, so that it would be seen. */
public final class Tables {

    private static final String ALL = """
            CREATE SCHEMA IF NOT EXISTS poker;
            CREATE TABLE IF NOT EXISTS poker.players (
              id text PRIMARY KEY, version bigint NOT NULL DEFAULT 0, funds bigint NOT NULL, reserved bigint NOT NULL DEFAULT 0
            ) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS poker.tables (
              id text PRIMARY KEY, version bigint NOT NULL DEFAULT 0, hands bigint NOT NULL DEFAULT 0, seats bigint NOT NULL DEFAULT 0
            ) WITH (fillfactor = 50);
            CREATE TABLE IF NOT EXISTS poker.hands (
              id text PRIMARY KEY, table_id text NOT NULL, winner text NOT NULL, pot bigint NOT NULL, history_bytes int NOT NULL
            );
            CREATE TABLE IF NOT EXISTS poker.seat_requests (
              id text PRIMARY KEY, table_id text NOT NULL, player_id text NOT NULL, stake bigint NOT NULL
            );
            CREATE TABLE IF NOT EXISTS poker.buy_ins (
              n bigint GENERATED ALWAYS AS IDENTITY, request text NOT NULL, step text NOT NULL
            );
            CREATE INDEX IF NOT EXISTS buy_ins_of_a_request ON poker.buy_ins (request);
            CREATE TABLE IF NOT EXISTS poker.winnings (hand text NOT NULL, player_id text NOT NULL, amount bigint NOT NULL);
            CREATE TABLE IF NOT EXISTS poker.ended_hands (hand text NOT NULL, table_id text NOT NULL);
            CREATE TABLE IF NOT EXISTS poker.display (
              n bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, event_id uuid NOT NULL, domain text NOT NULL, type text NOT NULL,
              key text NOT NULL, sequence bigint NOT NULL
            );
            CREATE TABLE IF NOT EXISTS poker.histories (hand text NOT NULL, bytes int NOT NULL);
            CREATE TABLE IF NOT EXISTS poker.statistics (hand text NOT NULL, winner text NOT NULL);
            """;

    private Tables() {}

    /** Makes them, with so many tables and players; each player has these funds. */
    public static void create(DataSource database, int tables, int players, long funds) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(ALL);
            statement.execute("INSERT INTO poker.tables (id) SELECT 'table-' || g FROM generate_series(1, " + tables
                    + ") g ON CONFLICT DO NOTHING");
            statement.execute("INSERT INTO poker.players (id, funds) SELECT 'player-' || g, " + funds
                    + " FROM generate_series(1, " + players + ") g ON CONFLICT DO NOTHING");
        }
    }
}
