package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** The database of a system with a profile, with the tables of its design. */
final class ProfiledSystem implements AutoCloseable {

    private final EmbeddedPostgres server =
            EmbeddedPostgres.builder().unsafeFast().start();
    private final String url = server.createDatabase("shop");

    /** Of JDBC. */
    String url() {
        return url;
    }

    /** As libpq takes it, in words. */
    String words() {
        return "host=127.0.0.1 port=" + server.port() + " dbname=shop user=postgres";
    }

    void views(String system) {
        assertThat(Cli.run("schema", "migrate", "--database-url", url).code()).isZero();
        Cli made = Cli.run("schema", "seed-views", system, "--database-url", url);
        assertThat(made.code()).as(made.err()).isZero();
    }

    /** A configuration with the database and this profile, and nothing else unless it stands behind the profile's name. */
    Path config(Path folder, String profile) {
        return file(
                folder, "database: {url: '" + url + "'}\nhttp: {address: '127.0.0.1:0'}\nprofile: " + profile + "\n");
    }

    static Path file(Path folder, String text) {
        try {
            return Files.writeString(folder.resolve("relay.yaml"), text);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    void run(String sql) {
        try (var connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failed) {
            throw new PosthornException(sql, failed);
        }
    }

    String one(String sql) {
        try (var connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        } catch (SQLException failed) {
            throw new PosthornException(sql, failed);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
