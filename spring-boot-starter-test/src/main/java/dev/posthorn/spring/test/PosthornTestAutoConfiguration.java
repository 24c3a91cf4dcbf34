package dev.posthorn.spring.test;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.Schema;
import dev.posthorn.spring.HandlerWrapper;
import dev.posthorn.spring.TransportOpener;
import dev.posthorn.testkit.users.PosthornBench;
import dev.posthorn.testkit.users.TestServer;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The parts that differ in tests. */
@AutoConfiguration(
        beforeName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "dev.posthorn.spring.PosthornAutoConfiguration"
        })
class PosthornTestAutoConfiguration {

    private static final String RELAYS = "posthornRelays";

    @Bean
    @ConditionalOnMissingBean(DataSource.class)
    HikariDataSource dataSource() {
        return TestServer.emptyDatabase();
    }

    @Bean
    PosthornBench posthornBench(DataSource database, Environment environment, BeanFactory beans) {
        Schema schema = new Schema(environment.getProperty("posthorn.schema", Schema.DEFAULT.name()));
        return PosthornBench.over(database, schema, new PosthornBench.Relays() {
            @Override
            public void stop() {
                beans.getBean(RELAYS, SmartLifecycle.class).stop();
            }

            @Override
            public void start() {
                beans.getBean(RELAYS, SmartLifecycle.class).start();
            }
        });
    }

    /** Whatever address it is. */
    @Bean
    TransportOpener posthornTestOpener(PosthornBench bench) {
        return address -> bench.transport();
    }

    @Bean
    HandlerWrapper posthornTestFaults(PosthornBench bench) {
        return bench::around;
    }
}
