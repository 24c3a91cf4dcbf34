package dev.posthorn.testkit.users;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.util.concurrent.atomic.AtomicInteger;

/** One real Postgres server for all tests of this JVM; it ends with it. Started by the first who asks. */
public final class TestServer {

    private static final int CONNECTIONS = 24;
    private static final AtomicInteger DATABASES = new AtomicInteger();

    private static final class Started {
        static final EmbeddedPostgres SERVER =
                EmbeddedPostgres.builder().unsafeFast().start();
    }

    private TestServer() {}

    /** The URL of a database that nobody else has. */
    public static String emptyDatabaseUrl() {
        return Started.SERVER.createDatabase("posthorn_test_" + DATABASES.incrementAndGet());
    }

    /** A pool over a database that nobody else has; the caller closes it. */
    public static HikariDataSource emptyDatabase() {
        HikariDataSource pool = new HikariDataSource();
        pool.setJdbcUrl(emptyDatabaseUrl());
        pool.setMaximumPoolSize(CONNECTIONS);
        pool.setMinimumIdle(0);
        return pool;
    }
}
