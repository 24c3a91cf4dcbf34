package dev.posthorn.postgres;

import dev.posthorn.deadletter.DeadLetter;
import dev.posthorn.inbox.ConsumerReport;
import dev.posthorn.inbox.ConsumerState;
import dev.posthorn.inbox.ConsumerStore;
import dev.posthorn.inbox.HandoverStore;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.inbox.OtherMembers;
import dev.posthorn.inbox.Redriven;
import dev.posthorn.inbox.RegisteredHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** What consumers and their operators know of each other, in the database. Needs the rights of a {@link RoleKind#CONSUMER}. */
public final class PostgresConsumers implements ConsumerStore<Connection> {

    private static final String CONSUMER = "consumer name";
    private static final String MEMBER = "member name";
    private static final String LETTER = "dead letter ID";

    private final DataSource database;
    private final Schema schema;

    public PostgresConsumers(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** What is done with a statement. */
    private interface Use<R> {
        R with(PreparedStatement statement) throws SQLException;
    }

    private <R> R run(String statement, Use<R> use) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            return run(connection, statement, use);
        } catch (SQLException failed) {
            throw new InboxException(
                    "The consumer's tables can not be used: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    private <R> R run(Connection connection, String statement, Use<R> use) throws SQLException {
        try (PreparedStatement prepared = connection.prepareStatement(Sql.load(statement, schema))) {
            return use.with(prepared);
        }
    }

    private static boolean isTrue(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.executeQuery()) {
            return row.next() && row.getBoolean(1);
        }
    }

    @Override
    public ConsumerState report(ConsumerReport report) {
        ConsumerReport.Registration registration = report.registration();
        List<String> unhandled = List.copyOf(registration.unhandled().keySet());
        return run("report_consumer", statement -> {
            new Parameters(statement)
                    .name(CONSUMER, report.consumer())
                    .name(MEMBER, report.member())
                    .value(report.totals().handled())
                    .value(report.totals().skipped())
                    .value(report.totals().retried())
                    .value(report.totals().dead())
                    .value(millis(report.lag().p50()))
                    .value(millis(report.lag().p99()))
                    .value(millis(report.handlerP99()))
                    .remark(report.trouble())
                    .name(CONSUMER, report.consumer())
                    .name(MEMBER, report.member())
                    .value(registration.every().toMillis())
                    .text("digest", registration.known())
                    .texts("handler name", registration.handlers(), RegisteredHandler::name)
                    .texts("domain", registration.handlers(), RegisteredHandler::domain)
                    .texts("type", registration.handlers(), RegisteredHandler::type)
                    .texts("type", unhandled)
                    .column("bigint", unhandled, registration.unhandled()::get);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                return state(row);
            }
        });
    }

    private static ConsumerState state(ResultSet row) throws SQLException {
        String[] names = (String[]) row.getArray("other_names").getArray();
        String[] domains = (String[]) row.getArray("other_domains").getArray();
        String[] types = (String[]) row.getArray("other_types").getArray();
        List<RegisteredHandler> handlers = new ArrayList<>();
        for (int i = 0; i < names.length; i++) {
            handlers.add(new RegisteredHandler(names[i], domains[i], types[i]));
        }
        return new ConsumerState(
                row.getBoolean("paused"),
                new OtherMembers(
                        row.getString("digest"),
                        handlers,
                        row.getBoolean("mixed"),
                        row.getBoolean("agreed"),
                        row.getBoolean("waiting")));
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / 1e6;
    }

    @Override
    public void leave(String consumer, String member) {
        boolean unused = run("leave_consumer", statement -> {
            new Parameters(statement)
                    .name(CONSUMER, consumer)
                    .name(MEMBER, member)
                    .name(CONSUMER, consumer)
                    .name(MEMBER, member);
            return statement.execute();
        });
    }

    @Override
    public List<Redriven> redriven(String consumer, int limit) {
        return run("redriven", statement -> {
            new Parameters(statement).name(CONSUMER, consumer).value(limit);
            List<Redriven> letters = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    letters.add(new Redriven(
                            rows.getObject(1, UUID.class),
                            rows.getString(2),
                            new DeadLetter.Raw(Looks.map(rows, "headers"), rows.getBytes(4))));
                }
            }
            return letters;
        });
    }

    @Override
    public boolean take(Connection transaction, UUID letter) {
        try {
            return run(transaction, "take_letter", statement -> {
                new Parameters(statement).text(LETTER, letter.toString());
                return isTrue(statement);
            });
        } catch (SQLException failed) {
            throw new InboxException("A dead letter can not be taken: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    @Override
    public Optional<HandoverStore> handovers() {
        return Optional.of(new PostgresHandovers(database, schema));
    }

    @Override
    public void deadAgain(UUID letter, String reason) {
        boolean unused = run("dead_again", statement -> {
            new Parameters(statement).text(LETTER, letter.toString()).remark(reason);
            return statement.execute();
        });
    }
}
