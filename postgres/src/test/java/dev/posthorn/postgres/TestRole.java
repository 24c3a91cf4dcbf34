package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** A role that logs in, with a name of its own and one that needs quoting: all databases of a server share their roles. */
record TestRole(TestPostgres postgres, String name) {

    private static final AtomicInteger ROLES = new AtomicInteger();

    /** One without any rights. */
    static TestRole create(TestPostgres postgres) throws SQLException {
        TestRole role = new TestRole(postgres, "Shop's \"role\" $" + ROLES.incrementAndGet());
        postgres.run("CREATE ROLE " + Identifiers.quote(role.name) + " LOGIN");
        return role;
    }

    /** One with the rights of this kind. */
    static TestRole create(TestPostgres postgres, Schema schema, RoleKind kind) throws SQLException {
        TestRole role = create(postgres);
        new Grants(schema).apply(postgres.dataSource(), kind, role.name);
        return role;
    }

    PGSimpleDataSource dataSource() {
        PGSimpleDataSource dataSource = new PGSimpleDataSource();
        dataSource.setUrl(postgres.dataSource().getUrl());
        dataSource.setUser(name);
        return dataSource;
    }

    HikariDataSource pool() {
        HikariConfig hikari = new HikariConfig();
        hikari.setDataSource(dataSource());
        hikari.setMaximumPoolSize(8);
        hikari.setMinimumIdle(0);
        return new HikariDataSource(hikari);
    }

    void run(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            TestPostgres.run(connection, sql);
        }
    }

    List<String> rows(String sql) throws SQLException {
        try (Connection connection = dataSource().getConnection()) {
            return TestPostgres.rows(connection, sql);
        }
    }

    void assertMayNot(String sql) {
        assertThatThrownBy(() -> run(sql))
                .as("%s as %s", sql, name)
                .isInstanceOfSatisfying(
                        SQLException.class,
                        e -> assertThat(e.getSQLState()).as(e.getMessage()).isEqualTo("42501"));
    }
}
