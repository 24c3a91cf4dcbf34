package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.HandedOver;
import dev.posthorn.inbox.HandoverStore;
import dev.posthorn.inbox.InboxException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.sql.DataSource;

/** Events that members of a consumer hand over to each other, in the database. Thread-safe. */
final class PostgresHandovers implements HandoverStore {

    private final DataSource database;
    private final Schema schema;

    PostgresHandovers(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
    }

    /** What is done with a statement. */
    private interface Use<R> {
        R with(PreparedStatement statement) throws SQLException;
    }

    private <R> R run(String statement, Use<R> use) {
        try (Connection connection = database.getConnection();
                PreparedStatement prepared = connection.prepareStatement(Sql.load(statement, schema))) {
            connection.setAutoCommit(true);
            return use.with(prepared);
        } catch (SQLException failed) {
            throw new InboxException(
                    "Members of a consumer cannot hand events over to each other: " + failed.getMessage(), failed);
        }
    }

    private static Parameters by(PreparedStatement statement, MemberId member) throws SQLException {
        return new Parameters(statement)
                .name("consumer name", member.consumer())
                .name("member name", member.member());
    }

    @Override
    public void store(MemberId by, Event event) {
        boolean unused = handOver(by, event, false);
    }

    @Override
    public boolean storeBehindOthers(MemberId by, Event event) {
        return handOver(by, event, true);
    }

    private boolean handOver(MemberId by, Event event, boolean behindOthers) {
        return run("hand_over", statement -> {
            new Parameters(statement)
                    .name("consumer name", by.consumer())
                    .name("key", event.key().orElseGet(() -> event.id().toString()))
                    .text("event ID", event.id().toString())
                    .name("domain", event.domain())
                    .name("type", event.type())
                    .text("headers", HeadersJson.write("header", EventMessage.headersOf(event)))
                    .value(event.payloadBytes())
                    .name("member name", by.member())
                    .value(behindOthers);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() && row.getBoolean(1);
            }
        });
    }

    @Override
    public List<HandedOver> take(MemberId member, Collection<String> held, int most) {
        return run("take_handovers", statement -> {
            by(statement, member).texts("key", held).value(most);
            List<HandedOver> taken = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    taken.add(new HandedOver(
                            rows.getLong("seq"),
                            rows.getString("key"),
                            new Message(Looks.map(rows, "headers"), rows.getBytes("body")),
                            rows.getBoolean("complete")));
                }
            }
            return taken;
        });
    }

    @Override
    public void finish(MemberId member, Collection<Long> places, Collection<String> released) {
        boolean unused = run("finish_handovers", statement -> {
            by(statement, member).array("bigint", places).texts("key", released);
            return statement.execute();
        });
    }

    @Override
    public void release(MemberId member) {
        boolean unused = run("release_handovers", statement -> {
            var unusedParameters = by(statement, member);
            return statement.execute();
        });
    }
}
