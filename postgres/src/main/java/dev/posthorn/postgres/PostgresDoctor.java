package dev.posthorn.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/**
 * Looks at a database as a relay would see it, and names each trouble with what it means and what to do.
 *
 * <p>Changes nothing. Needs the rights of a {@link RoleKind#VIEWER}; what the role may not see is a finding of its own.
 * Thread-safe.
 */
public final class PostgresDoctor {

    /**
     * One trouble.
     *
     * @param check what was looked at, one word
     * @param serious whether events are not published, or may not be, because of it
     * @param found what is wrong
     * @param advice what it means and what to do about it
     */
    public record Finding(String check, boolean serious, String found, String advice) {}

    /** One look. Answers whether the ones after it make sense. */
    interface Check {
        boolean look(Examination examination) throws SQLException;
    }

    /** In this order: without the first ones the later ones can not be answered. */
    private static final List<Check> CHECKS = List.of(
            ServerChecks::standby,
            ServerChecks::schema,
            ServerChecks::restored,
            ServerChecks::indexes,
            PoolerCheck::look,
            RoleChecks::look,
            RouteChecks::look,
            SetupChecks::deadCopies,
            DestinationChecks::look,
            ConsumerChecks::look,
            SetupChecks::sizes,
            SetupChecks::retention,
            ServerChecks::plans,
            ServerChecks::clock,
            ServerChecks::vacuum,
            ServerChecks::transactions,
            ServerChecks::xmin,
            ServerChecks::preparedTransactions,
            ServerChecks::slots);

    private static final String INSUFFICIENT_PRIVILEGE = "42501";

    private final DataSource database;
    private final Schema schema;
    private final DoctorLimits limits;
    private final DoctorSetup setup;

    public PostgresDoctor(DataSource database, Schema schema) {
        this(database, schema, DoctorLimits.standard());
    }

    PostgresDoctor(DataSource database, Schema schema, DoctorLimits limits) {
        this(database, schema, limits, DoctorSetup.UNKNOWN);
    }

    private PostgresDoctor(DataSource database, Schema schema, DoctorLimits limits, DoctorSetup setup) {
        this.database = database;
        this.schema = schema;
        this.limits = limits;
        this.setup = setup;
    }

    /** The same, which looks at the rights of this role instead of those that it finds to be a relay's. */
    public PostgresDoctor withRelayRole(String role) {
        return with(new DoctorSetup(Optional.of(role), setup.largestPayloads(), setup.retention()));
    }

    /** The same, which knows by route how many bytes its transport takes, and looks for larger payloads. */
    public PostgresDoctor withLargestPayloads(Map<String, Long> byRoute) {
        return with(new DoctorSetup(setup.relayRole(), byRoute, setup.retention()));
    }

    /**
     * The same, which knows how long things are kept, and says what may be handled twice like this.
     *
     * @param log how long events stay in the log after they are published
     * @param broker how long the broker keeps what it may deliver again
     */
    public PostgresDoctor withRetention(InboxRetention inbox, Duration log, Duration broker) {
        return with(new DoctorSetup(setup.relayRole(), setup.largestPayloads(), inbox.warnings(log, broker)));
    }

    private PostgresDoctor with(DoctorSetup told) {
        return new PostgresDoctor(database, schema, limits, told);
    }

    /** Every trouble found; empty if all is well. */
    public List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            Examination examination = new Examination(database, connection, schema, limits, setup, findings);
            for (Check check : CHECKS) {
                if (!passes(check, examination)) {
                    break;
                }
            }
        } catch (SQLException e) {
            findings.add(new Finding(
                    "connection",
                    true,
                    "no answer from the database: " + e.getMessage() + " (SQLState " + e.getSQLState() + ")",
                    "Nothing can be published. See that Postgres runs there, and that --database-url names the right host, user and"
                            + " password."));
        }
        return findings;
    }

    private static boolean passes(Check check, Examination examination) throws SQLException {
        try {
            return check.look(examination);
        } catch (SQLException | RuntimeException failed) {
            if (DatabaseFailure.isStatementTrouble(failed)) { // any statement may meet it, also before it is looked for
                examination.findings().removeIf(finding -> finding.check().equals("pooler"));
                examination.found(PoolerCheck.found());
                return false;
            }
            if (!INSUFFICIENT_PRIVILEGE.equals(stateOf(failed))) {
                throw failed;
            }
            examination.found(
                    "rights",
                    false,
                    "this role may not see everything: " + failed.getMessage(),
                    "What it hides was not looked at. Grant the role: posthorn schema grants viewer --to ROLE --apply; after a"
                            + " migration grant again.");
            return true;
        }
    }

    private static String stateOf(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return String.valueOf(sql.getSQLState());
            }
        }
        return "";
    }
}
