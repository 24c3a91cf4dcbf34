package dev.posthorn.demo;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.UUID;

/**
 * The business: accounts and transfers between them, each with its events in the same transaction.
 *
 * <p>A transfer touches two accounts and emits one event for each, keyed by the account. Both accounts are locked in a
 * fixed order first, so the events of one account are serialised, and each carries the account's version as its
 * sequence: 1, 2, 3 without a gap, as what rolls back takes its version with it.
 */
final class Bank {

    static final long OPENING_BALANCE = 10_000;
    static final int EVENTS_PER_TRANSFER = 2;

    private static final String CREATE = """
            DROP SCHEMA IF EXISTS posthorn_demo CASCADE;
            CREATE SCHEMA posthorn_demo;
            CREATE TABLE posthorn_demo.account (
              id      text   COLLATE "C" PRIMARY KEY,
              opening bigint NOT NULL,
              balance bigint NOT NULL CHECK (balance >= 0),
              version bigint NOT NULL DEFAULT 0
            ) WITH (fillfactor = 50);
            CREATE TABLE posthorn_demo.transfer (
              id       bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
              debited  text        NOT NULL,
              credited text        NOT NULL,
              amount   bigint      NOT NULL,
              at       timestamptz NOT NULL DEFAULT clock_timestamp()
            );
            CREATE TABLE posthorn_demo.entry (
              account  text   COLLATE "C" NOT NULL,
              version  bigint NOT NULL,
              transfer bigint NOT NULL,
              amount   bigint NOT NULL,
              event    uuid   NOT NULL,
              PRIMARY KEY (account, version)
            );
            CREATE TABLE posthorn_demo.arrived (
              ordinal  bigint NOT NULL,
              id       uuid   NOT NULL,
              key      text   COLLATE "C",
              sequence bigint
            );
            """;

    private static final String OPEN_ACCOUNTS = """
            INSERT INTO posthorn_demo.account (id, opening, balance)
            SELECT 'account-' || n, ?, ? FROM generate_series(1, ?) AS n
            """;

    private static final String LOCK = """
            SELECT id, balance, version FROM posthorn_demo.account
            WHERE id IN (?, ?) ORDER BY id FOR UPDATE
            """;

    private static final String MOVE = """
            WITH transfer AS (
              INSERT INTO posthorn_demo.transfer (debited, credited, amount) VALUES (?, ?, ?) RETURNING id
            ), entry AS (
              INSERT INTO posthorn_demo.entry (account, version, transfer, amount, event)
              SELECT side.account, side.version, transfer.id, side.amount, side.event
              FROM transfer, (VALUES
                (?, ?::bigint, ?::bigint, ?::uuid),
                (?, ?::bigint, ?::bigint, ?::uuid)) AS side (account, version, amount, event)
              RETURNING account, version, amount
            )
            UPDATE posthorn_demo.account AS a SET balance = a.balance + entry.amount, version = entry.version
            FROM entry WHERE a.id = entry.account
            """;

    private final Outbox outbox;
    private final String run;

    /** An account that this transaction has locked. */
    record Account(String id, long balance, long version) {}

    /** Two locked accounts. */
    record Pair(Account debited, Account credited) {}

    /** @param run marks the events of this run among whatever else is in the log */
    Bank(Outbox outbox, String run) {
        this.outbox = outbox;
        this.run = run;
    }

    /** Makes the tables anew and opens the accounts account-1, account-2 and so on. */
    static void open(Connection connection, int accounts) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement create = connection.createStatement();
                PreparedStatement fill = connection.prepareStatement(OPEN_ACCOUNTS)) {
            create.execute(CREATE);
            fill.setLong(1, OPENING_BALANCE);
            fill.setLong(2, OPENING_BALANCE);
            fill.setInt(3, accounts);
            fill.executeUpdate();
            connection.commit();
        }
    }

    boolean emitted(Event event) {
        return event.correlationId().filter(run::equals).isPresent();
    }

    /** Locks both accounts, always in the same order, so that two transfers never wait for each other. */
    Pair lock(Connection connection, String debited, String credited) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            lock.setString(1, debited);
            lock.setString(2, credited);
            try (ResultSet rows = lock.executeQuery()) {
                Account first = next(rows);
                Account second = next(rows);
                return first.id().equals(debited) ? new Pair(first, second) : new Pair(second, first);
            }
        }
    }

    /** Moves the money and emits both events; the caller ends the transaction. */
    List<UUID> transfer(Connection connection, Pair accounts, long amount) throws SQLException {
        Event debit = event("account.debited", accounts.debited(), amount);
        Event credit = event("account.credited", accounts.credited(), amount);
        try (PreparedStatement move = connection.prepareStatement(MOVE)) {
            move.setString(1, accounts.debited().id());
            move.setString(2, accounts.credited().id());
            move.setLong(3, amount);
            bindEntry(move, 4, accounts.debited(), -amount, debit);
            bindEntry(move, 8, accounts.credited(), amount, credit);
            move.executeUpdate();
        }
        outbox.emit(connection, debit, credit);
        return List.of(debit.id(), credit.id());
    }

    private static void bindEntry(PreparedStatement move, int at, Account account, long amount, Event event)
            throws SQLException {
        move.setString(at, account.id());
        move.setLong(at + 1, account.version() + 1);
        move.setLong(at + 2, amount);
        move.setObject(at + 3, event.id());
    }

    private Event event(String type, Account account, long amount) {
        EventBuilder event = Event.of("bank", type);
        return event.key(account.id())
                .sequence(account.version() + 1)
                .aggregate("account", account.id())
                .correlationId(run)
                .json("{\"account\":\"" + account.id() + "\",\"amount\":" + amount + "}")
                .build();
    }

    private static Account next(ResultSet rows) throws SQLException {
        if (!rows.next()) {
            throw new SQLException("An account of the demo is missing in posthorn_demo.account", "02000");
        }
        return new Account(rows.getString(1), rows.getLong(2), rows.getLong(3));
    }
}
