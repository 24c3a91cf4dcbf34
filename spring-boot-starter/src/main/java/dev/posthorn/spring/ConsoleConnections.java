package dev.posthorn.spring;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariConfigMXBean;
import com.zaxxer.hikari.HikariDataSource;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.DataSourceUnwrapper;

/**
 * Connections for the console. As long as the application's pool is one of HikariCP they come from a small one beside it, so that
 * whoever looks takes none from the application, however many look.
 *
 * <p>Few settings differ, and none that a pooler between here and the database would keep for its next client.
 */
record ConsoleConnections(DataSource database, AutoCloseable end) {

    private static final int MOST = 5;
    private static final long PATIENCE_MILLIS = 5_000;
    private static final String ANSWER_SECONDS = "20";

    /** As the application connects. */
    static ConsoleConnections like(DataSource application) {
        HikariDataSource pool =
                DataSourceUnwrapper.unwrap(application, HikariConfigMXBean.class, HikariDataSource.class);
        if (pool == null) {
            return of(application);
        }
        HikariConfig config = new HikariConfig();
        pool.copyStateTo(config);
        config.setPoolName("posthorn-console");
        config.setMaximumPoolSize(MOST);
        config.setMinimumIdle(0);
        config.setConnectionTimeout(PATIENCE_MILLIS);
        config.setInitializationFailTimeout(-1);
        config.setRegisterMbeans(false);
        config.addDataSourceProperty("socketTimeout", ANSWER_SECONDS);
        HikariDataSource beside = new HikariDataSource(config);
        return new ConsoleConnections(beside, beside);
    }

    /** Somebody else's, who closes it. */
    static ConsoleConnections of(DataSource database) {
        return new ConsoleConnections(database, () -> {});
    }
}
