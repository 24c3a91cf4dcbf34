package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;
import org.postgresql.ds.PGSimpleDataSource;

/** A database of its own on the one server that all tests of this JVM share. */
final class TestPostgres {

    private static final EmbeddedPostgres SERVER = EmbeddedPostgres.builder()
            .unsafeFast()
            .setting("max_prepared_transactions", "64")
            .start();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    /** A database with the default schema on each server, to be copied: that takes a fraction of the time of migrating. */
    private static final String MIGRATED = "migrated";

    private static final Set<EmbeddedPostgres> WITH_MIGRATED = ConcurrentHashMap.newKeySet();

    private static final Asker ASKER = new Asker();

    private final PGSimpleDataSource database = new PGSimpleDataSource();

    private TestPostgres(String url) {
        database.setUrl(url);
    }

    /** An empty database. */
    static TestPostgres empty() {
        return new TestPostgres(SERVER.createDatabase("test_" + DATABASES.incrementAndGet()));
    }

    /** A database with the default schema. */
    static TestPostgres migrated() {
        return migrated(SERVER);
    }

    /** An empty database on another server, which the test owns. */
    static TestPostgres empty(EmbeddedPostgres server) {
        return new TestPostgres(server.createDatabase("test_" + DATABASES.incrementAndGet()));
    }

    /** The same with the default schema. */
    static TestPostgres migrated(EmbeddedPostgres server) {
        synchronized (WITH_MIGRATED) {
            if (WITH_MIGRATED.add(server)) {
                TestPostgres copied = new TestPostgres(server.createDatabase(MIGRATED));
                new Migrations(Schema.DEFAULT).migrate(copied.dataSource());
            }
        }
        return new TestPostgres(server.createDatabase("test_" + DATABASES.incrementAndGet(), MIGRATED));
    }

    PGSimpleDataSource dataSource() {
        return database;
    }

    /** Connections to it that are kept open; the test closes the pool. */
    HikariDataSource pool() {
        return pool(database);
    }

    static HikariDataSource pool(DataSource of) {
        HikariConfig hikari = new HikariConfig();
        hikari.setDataSource(of);
        hikari.setMaximumPoolSize(40);
        hikari.setMinimumIdle(0);
        hikari.setIdleTimeout(10_000);
        return new HikariDataSource(hikari);
    }

    static int port() {
        return SERVER.port();
    }

    /** A connection with autocommit off. */
    Connection transaction() throws SQLException {
        Connection connection = database.getConnection();
        connection.setAutoCommit(false);
        return connection;
    }

    /** Runs statements that return nothing, each committed by itself unless they say otherwise. */
    void run(String sql) throws SQLException {
        try (Connection connection = database.getConnection()) {
            run(connection, sql);
        }
    }

    static void run(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.setEscapeProcessing(false);
            statement.execute(sql);
        }
    }

    /** The rows of a query, each as its columns joined by a bar; null is an empty text. */
    List<String> rows(String sql) throws SQLException {
        return ASKER.rows(database, sql);
    }

    static List<String> rows(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    String value = result.getString(i);
                    row.add(value == null ? "" : value);
                }
                rows.add(String.join("|", row));
            }
            return rows;
        }
    }
}
