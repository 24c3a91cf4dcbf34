package dev.posthorn.postgres;

import dev.posthorn.inbox.CallStore;
import dev.posthorn.inbox.InboxException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;

/** Calls to systems outside the database, remembered in it. Needs the rights of a {@link RoleKind#CONSUMER}. */
public final class PostgresCalls implements CallStore {

    private final DataSource database;
    private final Schema schema;

    public PostgresCalls(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    private interface Use<R> {
        R with(ResultSet row) throws SQLException;
    }

    private <R> R run(String statement, Connections.Binder binder, Use<R> use) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            try (PreparedStatement prepared = connection.prepareStatement(Sql.load(statement, schema))) {
                binder.bind(new Parameters(prepared));
                try (ResultSet row = prepared.executeQuery()) {
                    row.next();
                    return use.with(row);
                }
            }
        } catch (SQLException failed) {
            throw new InboxException(
                    "Calls to the outside can not be remembered: " + DatabaseFailure.reasonOf(failed), failed);
        }
    }

    @Override
    public Claim claim(CallId call, UUID token, Duration lease) {
        return run("claim_call", bind -> of(call, bind).value(token).value(lease.toMillis()), PostgresCalls::claim);
    }

    private static Claim claim(ResultSet row) throws SQLException {
        if (row.getBoolean("mine")) {
            return new Claim.Ours();
        }
        String answer = row.getString("answer");
        return answer != null
                ? new Claim.Answered(answer)
                : new Claim.Theirs(Duration.ofMillis(row.getLong("remaining_ms")));
    }

    @Override
    public boolean answered(CallId call, UUID token, String answer) {
        return run(
                "answer_call",
                bind -> of(call, bind).value(token).text("answer of the call", answer),
                row -> row.getBoolean(1));
    }

    @Override
    public void release(CallId call, UUID token) {
        boolean unused = run("release_call", bind -> of(call, bind).value(token), row -> true);
    }

    private static Parameters of(CallId call, Parameters bind) throws SQLException {
        return bind.name("name of the call", call.name()).value(call.event());
    }
}
