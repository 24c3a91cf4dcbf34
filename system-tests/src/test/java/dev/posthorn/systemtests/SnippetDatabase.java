package dev.posthorn.systemtests;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.Schema;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.sql.DataSource;

/** A database of its own for the snippets of one test, on the one server that all tests of this JVM share. */
final class SnippetDatabase implements AutoCloseable {

    private static final EmbeddedPostgres SERVER =
            EmbeddedPostgres.builder().unsafeFast().start();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private final String url;
    private final HikariDataSource pool;

    private SnippetDatabase(String url) {
        this.url = url;
        this.pool = pool(url);
    }

    static SnippetDatabase empty() {
        return new SnippetDatabase(SERVER.createDatabase("snippets_" + DATABASES.incrementAndGet()));
    }

    /** With the default schema and this many lanes. */
    static SnippetDatabase migrated(int lanes) {
        SnippetDatabase database = empty();
        new Migrations(Schema.DEFAULT, lanes).migrate(database.dataSource());
        return database;
    }

    DataSource dataSource() {
        return pool;
    }

    /** A pool that connects as another role. */
    HikariDataSource poolOf(String role) {
        return pool(url.replace("user=postgres", "user=" + role));
    }

    private static HikariDataSource pool(String url) {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(url);
        pool.setMaximumPoolSize(8);
        pool.setMinimumIdle(0);
        return pool;
    }

    void run(String sql) throws SQLException {
        try (Connection connection = pool.getConnection()) {
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
    List<String> rows(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
                    String value = result.getString(i);
                    row.add(value == null ? "" : value);
                }
                rows.add(String.join("|", row));
            }
            return rows;
        } catch (SQLException failed) {
            throw new IllegalStateException(sql, failed);
        }
    }

    @Override
    public void close() {
        pool.close();
    }
}
