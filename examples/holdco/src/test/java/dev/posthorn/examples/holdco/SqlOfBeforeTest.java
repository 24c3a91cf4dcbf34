package dev.posthorn.examples.holdco;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SeedViews;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.postgresql.ds.PGSimpleDataSource;

/** The SQL of before runs as it was written, by a role that may use the views and nothing else. */
class SqlOfBeforeTest {

    @Test
    void whatTheServicesHadGoesOn() throws SQLException, IOException {
        try (EmbeddedPostgres server = EmbeddedPostgres.builder().unsafeFast().start()) {
            PGSimpleDataSource owner = new PGSimpleDataSource();
            owner.setUrl(server.jdbcUrl());
            new Migrations(Schema.DEFAULT).migrate(owner);
            SeedViews views = SeedViews.holdco(Schema.DEFAULT, SeedViews.PUBLIC);
            views.create(owner);
            run(owner, "CREATE ROLE shop LOGIN");
            views.grant(owner, "shop");
            PGSimpleDataSource shop = new PGSimpleDataSource();
            shop.setUrl(server.jdbcUrl());
            shop.setUser("shop");

            run(shop, script());
            run(shop, script());

            assertThat(
                            one(
                                    shop,
                                    "SELECT count(*) || ' ' || min(status) || ' ' || max(payload ->> 'currency') FROM event_outbox"))
                    .isEqualTo("2 pending NGN");
            assertThat(one(shop, "SELECT count(*) FROM event_inbox")).isEqualTo("1");
        }
    }

    private static String script() throws IOException {
        try (InputStream in = Objects.requireNonNull(SqlOfBeforeTest.class.getResourceAsStream("before.sql"))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static void run(PGSimpleDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static String one(PGSimpleDataSource database, String sql) throws SQLException {
        try (Connection connection = database.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return String.valueOf(row.getString(1));
        }
    }
}
