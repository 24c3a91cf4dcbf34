package dev.posthorn.spring;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Transport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.support.TransactionTemplate;

/** An application under test, with a database of its own on the one server that all tests of this JVM share. */
final class Shop implements AutoCloseable {

    /** Spring Boot would choose JPA's transactions wherever Hibernate is there. */
    static final String WITHOUT_JPA =
            "spring.autoconfigure.exclude=org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration";

    private static final EmbeddedPostgres SERVER =
            EmbeddedPostgres.builder().unsafeFast().start();
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @SpringBootConfiguration
    @EnableAutoConfiguration
    static class Application {}

    private final ConfigurableApplicationContext context;

    private Shop(ConfigurableApplicationContext context) {
        this.context = context;
    }

    /** A database with a table of orders. */
    static String database() {
        String url = SERVER.createDatabase("shop_" + DATABASES.incrementAndGet());
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE TABLE orders (id text PRIMARY KEY)");
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
        return url;
    }

    /** With these beans beside what Spring Boot configures. */
    static Shop start(List<Class<?>> sources, String... properties) {
        return startOn(database(), sources, properties);
    }

    static Shop startOn(String url, List<Class<?>> sources, String... properties) {
        List<Class<?>> all = new ArrayList<>(sources);
        all.add(Application.class);
        List<String> given = new ArrayList<>(List.of(
                "spring.datasource.url=" + url,
                "spring.main.banner-mode=off",
                "spring.main.web-application-type=none",
                "logging.level.root=warn",
                "posthorn.relay.lease-ttl=2s"));
        given.addAll(Arrays.asList(properties));
        if (given.stream().noneMatch(property -> property.startsWith("posthorn.transport"))) {
            given.add("posthorn.transport=memory");
        }
        return new Shop(new SpringApplicationBuilder(all.toArray(Class<?>[]::new))
                .properties(given.toArray(String[]::new))
                .run());
    }

    <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    SpringOutbox outbox() {
        return bean(SpringOutbox.class);
    }

    JdbcTemplate jdbc() {
        return bean(JdbcTemplate.class);
    }

    TransactionTemplate transaction() {
        return bean(TransactionTemplate.class);
    }

    /** In one transaction: the row and the event. */
    Event place(String id) {
        Event placed = placed(id);
        transaction().executeWithoutResult(status -> {
            jdbc().update("INSERT INTO orders (id) VALUES (?)", id);
            outbox().emit(placed);
        });
        return placed;
    }

    static Event placed(String id) {
        return Event.of("shop", "order.placed")
                .key(id)
                .json("{\"id\":\"" + id + "\",\"total\":4200}")
                .build();
    }

    List<String> orders() {
        return jdbc().queryForList("SELECT id FROM orders ORDER BY id", String.class);
    }

    List<String> texts(String sql) {
        return jdbc().queryForList(sql, String.class);
    }

    List<String> log() {
        return texts("SELECT key FROM posthorn.outbox ORDER BY key");
    }

    <T extends Transport> T transport(Class<T> type) {
        return bean(type);
    }

    ConfigurableApplicationContext context() {
        return context;
    }

    @Override
    public void close() {
        context.close();
    }
}
