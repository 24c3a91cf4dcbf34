package dev.posthorn.postgres;

import dev.posthorn.postgres.PostgresRebase.Needs;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What the doctor looks at in the server and the schema. */
final class ServerChecks {

    private ServerChecks() {}

    static boolean standby(Examination of) throws SQLException {
        boolean standby = clock(of, row -> row.getBoolean(2));
        if (standby) {
            of.found(
                    "standby",
                    true,
                    "this server is a standby",
                    "Reading there would lose events, so a relay refuses. Connect to the primary: --database-url with its host, or"
                            + " with all hosts and targetServerType=primary.");
        }
        return !standby;
    }

    static boolean schema(Examination of) {
        try {
            Migrations migrations = new Migrations(of.schema());
            migrations.validate(of.database());
            migrations
                    .note(of.database())
                    .ifPresent(
                            newer -> of.found(
                                    "schema",
                                    false,
                                    newer,
                                    "A newer version has migrated the schema. Nothing stops; upgrade the processes of this version next."));
            return true;
        } catch (InvalidSchemaException invalid) {
            invalid.faults()
                    .forEach(fault -> of.found(
                            "schema",
                            true,
                            fault,
                            "Processes of this version cannot work with it, and running ones are not ready. Do what it says, or"
                                    + " correct --schema."));
            return false;
        }
    }

    static boolean indexes(Examination of) {
        new Migrations(of.schema())
                .missingIndexes(of.database())
                .forEach(
                        absence -> of.found(
                                "index",
                                false,
                                absence,
                                "Nothing is lost without it, but the statements that it serves become slower as the log grows."));
        return true;
    }

    static boolean restored(Examination of) throws SQLException {
        try (PreparedStatement ask = of.connection().prepareStatement(Sql.load("rebase_needs", of.schema()));
                ResultSet row = ask.executeQuery()) {
            row.next();
            Needs needs = new Needs(row.getBoolean(1), row.getBoolean(2), row.getBoolean(3));
            if (needs.any()) {
                of.found(
                        "restored",
                        true,
                        "the log was restored from a dump"
                                + (needs.lanesMoved() ? ", and its keys have other lanes here" : ""),
                        RestoredLog.EXPLANATION);
            }
            return true;
        }
    }

    static boolean plans(Examination of) throws SQLException {
        try (Statement ask = of.connection().createStatement();
                ResultSet row = ask.executeQuery("SELECT " + PlainPlans.IN_FORCE)) {
            row.next();
            if (!row.getBoolean(1)) {
                of.found(
                        "plans",
                        false,
                        "connections come without the planner settings of a relay",
                        "Each look at the log then is four statements instead of one, in the same round trip. A pooler may"
                                + " refuse the settings: ALTER ROLE the relay's role SET what PostgresRelayStores.connectionOptions() names,"
                                + " or set those on a pool of your own.");
            }
            return true;
        }
    }

    static boolean clock(Examination of) throws SQLException {
        double before = System.currentTimeMillis() / 1e3;
        double there = clock(of, row -> row.getDouble(1));
        double after = System.currentTimeMillis() / 1e3;
        double apart = there < before ? before - there : Math.max(0, there - after);
        if (apart > seconds(of.limits().clock())) {
            of.found(
                    "clock",
                    false,
                    String.format(Locale.ROOT, "the clocks of this host and the database are %.1f s apart", apart),
                    "Relays go by the database's clock and lose nothing. Times that services supply, such as occurred_at and"
                            + " deliver_after, are off by that much. Synchronise both hosts: timedatectl"
                            + " set-ntp true.");
        }
        return true;
    }

    /** By the database's clock. */
    static Instant now(Examination of) throws SQLException {
        return Instant.ofEpochMilli(Math.round(clock(of, row -> row.getDouble(1)) * 1e3));
    }

    private static <T> T clock(Examination of, Connections.Mapper<T> mapper) throws SQLException {
        try (PreparedStatement ask = of.connection().prepareStatement(Sql.load("doctor_clock", of.schema()));
                ResultSet row = ask.executeQuery()) {
            row.next();
            return mapper.map(row);
        }
    }

    static boolean vacuum(Examination of) throws SQLException {
        return each(
                of,
                "vacuum",
                of.ask("doctor_vacuum", of.schema().quoted() + ".outbox"),
                "Nothing that is pruned gives its room back, and statistics grow old. Switch it on: ALTER TABLE "
                        + of.schema().quoted()
                        + ".outbox RESET (autovacuum_enabled); or for the server: ALTER SYSTEM SET"
                        + " autovacuum = on, then SELECT pg_reload_conf().");
    }

    static boolean transactions(Examination of) throws SQLException {
        return each(
                of,
                "transaction",
                of.ask(
                        "doctor_transactions",
                        seconds(of.limits().transaction()),
                        seconds(of.limits().transaction().multipliedBy(DoctorLimits.READING))),
                "Vacuum and pruning remove nothing that is newer, and if it has emitted events they wait for its commit. Other"
                        + " events are published. End it if nobody needs it: pg_terminate_backend(PROCESS). To have PostgreSQL"
                        + " end such transactions, set idle_in_transaction_session_timeout.");
    }

    static boolean xmin(Examination of) throws SQLException {
        return each(
                of,
                "xmin",
                of.ask("doctor_xmin", of.limits().xmin(), of.limits().xmin()),
                "Vacuum removes nothing that is newer, so what is pruned gives its room back late. Relays are not slowed down."
                        + " Start the reader of a slot again, or drop it: pg_drop_replication_slot(NAME); on a standby end the"
                        + " query that takes so long, or switch hot_standby_feedback off.");
    }

    static boolean preparedTransactions(Examination of) throws SQLException {
        return each(
                of,
                "prepared",
                of.ask("doctor_prepared", seconds(of.limits().transaction())),
                "Its events wait, its locks are held, vacuum removes nothing that is newer. Decide about it: COMMIT PREPARED"
                        + " NAME or ROLLBACK PREPARED NAME.");
    }

    static boolean slots(Examination of) throws SQLException {
        return each(
                of,
                "slot",
                of.ask("doctor_slots"),
                "The server keeps all WAL from there on until its disk is full. Start its reader, or drop it:"
                        + " pg_drop_replication_slot(NAME).");
    }

    private static boolean each(Examination of, String check, List<String> found, String advice) {
        found.forEach(one -> of.found(check, false, one, advice));
        return true;
    }

    private static double seconds(Duration time) {
        return time.toMillis() / 1e3;
    }
}
