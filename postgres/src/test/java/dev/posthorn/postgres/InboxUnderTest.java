package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.testkit.TestInbox;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** The inbox in a test's database, where effects are rows of a table that everybody may insert into. */
record InboxUnderTest(TestPostgres postgres, HikariDataSource pool)
        implements TestInbox<Connection>, TestInbox.Effects<Connection> {

    static TestPostgres database() throws SQLException {
        TestPostgres postgres = TestPostgres.migrated();
        postgres.run("CREATE TABLE effect (event uuid, n bigint GENERATED ALWAYS AS IDENTITY)");
        postgres.run("GRANT INSERT ON effect TO PUBLIC");
        return postgres;
    }

    static InboxUnderTest over(TestPostgres postgres, DataSource way) {
        return new InboxUnderTest(postgres, TestPostgres.pool(way));
    }

    @Override
    public Inbox<Connection> patient(Duration longest) {
        return new PostgresInbox(pool, Schema.DEFAULT, longest);
    }

    @Override
    public Inbox<Connection> unreachable() {
        PGSimpleDataSource nowhere = new PGSimpleDataSource();
        nowhere.setUrl("jdbc:postgresql://127.0.0.1:1/nowhere?connectTimeout=5");
        return new PostgresInbox(nowhere, Schema.DEFAULT);
    }

    @Override
    public TestInbox.Effects<Connection> effects() {
        return this;
    }

    @Override
    public void write(Connection transaction, UUID event) throws SQLException {
        TestPostgres.run(transaction, "INSERT INTO effect (event) VALUES ('" + event + "')");
    }

    @Override
    public List<UUID> kept() throws SQLException {
        return postgres.rows("SELECT event FROM effect ORDER BY n").stream()
                .map(UUID::fromString)
                .toList();
    }

    @Override
    public void close() {
        pool.close();
    }
}
