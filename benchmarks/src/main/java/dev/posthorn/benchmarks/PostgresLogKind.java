package dev.posthorn.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRouteStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transports.postgreslog.LogDatabase;
import dev.posthorn.transports.postgreslog.PostgresLogConfig;
import dev.posthorn.transports.postgreslog.PostgresLogTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import javax.sql.DataSource;

/** The log of another database; its own client emits a hundred events a transaction. */
final class PostgresLogKind implements BrokerKind {

    private static final int TOGETHER = 100;

    @Override
    public String name() {
        return "postgres-log";
    }

    @Override
    public double promised() {
        return 0;
    }

    @Override
    public RunningBroker start() {
        EmbeddedPostgres postgres = Servers.durable();
        HikariDataSource pool = BenchContext.pool(postgres.jdbcUrl(), Map.of());
        return new RunningBroker() {
            @Override
            public Bus open(String prefix) {
                DataSource database = database(prefix);
                return PostgresLogTransport.over(
                        new LogDatabase(database, outbox(prefix), PostgresRouteStores.of(database, new Schema(prefix))),
                        PostgresLogConfig.standard().withPrefix(prefix));
            }

            private DataSource database(String prefix) {
                new Migrations(new Schema(prefix)).besideOtherLogs().migrate(pool);
                return pool;
            }

            private PostgresOutbox outbox(String prefix) {
                return new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(new Schema(prefix)));
            }

            @Override
            public PlainClient client(String prefix) {
                return new Client(database(prefix), outbox(prefix));
            }

            @Override
            public void clear(String prefix) {
                try (Connection connection = pool.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("DROP SCHEMA " + prefix + " CASCADE");
                } catch (SQLException e) {
                    throw new IllegalStateException("A log can not be removed", e);
                }
            }

            @Override
            public void close() {
                pool.close();
                postgres.close();
            }
        };
    }

    private record Client(DataSource database, PostgresOutbox outbox) implements PlainClient {

        @Override
        public void publish(List<Event> events, Consumer<Event> confirmed) {
            try (Connection connection = database.getConnection()) {
                connection.setAutoCommit(false);
                for (int from = 0; from < events.size(); from += TOGETHER) {
                    List<Event> some = events.subList(from, Math.min(events.size(), from + TOGETHER));
                    outbox.emit(connection, some);
                    connection.commit();
                    some.forEach(confirmed);
                }
            } catch (SQLException e) {
                throw new IllegalStateException("Events can not be emitted", e);
            }
        }

        @Override
        public void close() {}
    }
}
