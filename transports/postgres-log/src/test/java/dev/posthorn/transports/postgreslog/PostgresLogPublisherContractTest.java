package dev.posthorn.transports.postgreslog;

import dev.posthorn.testkit.PublisherContract;
import dev.posthorn.testkit.Received;
import dev.posthorn.transport.Transport;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class PostgresLogPublisherContractTest extends PublisherContract {

    private static final PostgresBroker BROKER = new PostgresBroker();
    private final Scene scene = new Scene(BROKER);

    @AfterAll
    static void stop() {
        BROKER.close();
    }

    @Override
    protected Transport open() {
        return scene.bus();
    }

    @Override
    protected List<Received> received() {
        try (Connection connection = BROKER.own().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT id, type, key, correlation_id, payload FROM "
                        + scene.prefix() + ".outbox ORDER BY seq")) {
            List<Received> received = new ArrayList<>();
            while (rows.next()) {
                received.add(new Received(
                        rows.getObject(1, UUID.class),
                        rows.getString(2),
                        rows.getString(3),
                        rows.getString(4),
                        ByteBuffer.wrap(rows.getBytes(5))));
            }
            return received;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    protected Optional<Runnable> stall() {
        try {
            Connection connection = BROKER.own().getConnection();
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("LOCK TABLE " + scene.prefix() + ".outbox IN EXCLUSIVE MODE");
            }
            return Optional.of(() -> {
                try {
                    connection.rollback();
                    connection.close();
                } catch (SQLException e) {
                    throw new IllegalStateException(e);
                }
            });
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
