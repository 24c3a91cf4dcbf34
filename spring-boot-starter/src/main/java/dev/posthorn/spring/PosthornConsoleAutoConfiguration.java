package dev.posthorn.spring;

import dev.posthorn.console.Console;
import dev.posthorn.console.ConsoleSetup;
import dev.posthorn.console.Retention;
import dev.posthorn.operations.Version;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import jakarta.servlet.Servlet;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.web.servlet.ServletRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.env.Environment;

/** The console in the application, for whoever switches it on. */
@AutoConfiguration(after = PosthornAutoConfiguration.class)
@ConditionalOnProperty("posthorn.console.enabled")
@ConditionalOnBean(Lookout.class)
@Import({
    PosthornConsoleAutoConfiguration.Missing.class,
    PosthornConsoleAutoConfiguration.Scraped.class,
    PosthornConsoleAutoConfiguration.There.class,
    PosthornConsoleAutoConfiguration.OnServlets.class
})
class PosthornConsoleAutoConfiguration {

    private static final String CONSOLE = "dev.posthorn.console.Console";
    private static final String SERVLET = "posthornConsoleServlet";

    /** What a scrape of the console shows. */
    interface Scrape {
        String text();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnMissingClass(CONSOLE)
    static class Missing {

        /** In the place of the plan, which is asked for its faults at the start. */
        @Bean
        Object posthornConsolePlan(StartFaults faults) {
            faults.add("posthorn.console.enabled is true, but the module posthorn-console is not there; add"
                    + " dev.posthorn:posthorn-console to the dependencies");
            return new Object();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Console.class, PrometheusMeterRegistry.class})
    static class Scraped {

        @Bean
        Scrape posthornScrape(ObjectProvider<PrometheusMeterRegistry> registries) {
            return () -> {
                PrometheusMeterRegistry registry = registries.getIfUnique();
                return registry == null ? NOTHING : registry.scrape();
            };
        }
    }

    private static final String NOTHING = "# The application has no registry of Prometheus.\n";

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Console.class)
    @EnableConfigurationProperties(PosthornConsoleProperties.class)
    static class There {

        @Bean
        ConsolePlan posthornConsolePlan(PosthornConsoleProperties given, BeanFactory beans, StartFaults faults) {
            return ConsolePlan.read(given, beans.containsBean(SERVLET), faults);
        }

        @Bean
        ConsoleSetup posthornConsoleSetup(
                ConsolePlan plan,
                Lookout lookout,
                ObjectProvider<Scrape> scrape,
                PosthornRetentionProperties retention,
                Environment environment) {
            return new ConsoleSetup(
                    plan.tokens(),
                    lookout::report,
                    scrape.getIfAvailable((Supplier<Scrape>) () -> () -> NOTHING)::text,
                    new ConsoleSetup.ProcessFacts(
                            Version.number(),
                            () -> SettingsFormat.json(environment),
                            retentionOf(retention.usable()),
                            Optional.empty()));
        }

        private static Retention retentionOf(PosthornRetentionProperties given) {
            return new Retention(given.log(), null, given.ofInbox(), Duration.ZERO);
        }

        @Bean
        ConsoleHost posthornConsole(
                ConsoleSetup setup,
                ConsolePlan plan,
                LogPlace place,
                PosthornConsoleProperties given,
                BeanFactory beans) {
            String named = given.dataSource();
            Supplier<ConsoleConnections> connections = named == null
                    ? () -> ConsoleConnections.like(place.database())
                    : () -> ConsoleConnections.of(beans.getBean(named, DataSource.class));
            return new ConsoleHost(
                    setup, new ConsoleHost.Place(connections, place.schema(), beans.getBean(Environment.class)), plan);
        }
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Console.class, Servlet.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class OnServlets {

        @Bean(SERVLET)
        ServletRegistrationBean<ConsoleServlet> servlet(ConsolePlan plan, ConsoleHost host) {
            ServletRegistrationBean<ConsoleServlet> servlet =
                    new ServletRegistrationBean<>(new ConsoleServlet(host), plan.path() + "/*");
            servlet.setName(SERVLET);
            servlet.setAsyncSupported(true);
            servlet.setEnabled(plan.address().isEmpty());
            return servlet;
        }
    }
}
