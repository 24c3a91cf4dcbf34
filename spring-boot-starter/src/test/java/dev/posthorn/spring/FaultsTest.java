package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What is wrong is said at the start, all at once. */
class FaultsTest {

    private static final String URL = Shop.database();

    @Configuration(proxyBeanMethods = false)
    static class Wrong {
        @Bean
        WrongHandlers handlers() {
            return new WrongHandlers();
        }
    }

    static class WrongHandlers {

        @EventHandler(consumer = "billing")
        int count(Event event) {
            return 1;
        }

        @EventHandler(consumer = "billing", name = "count")
        void two(Integer one, Long other) {}

        @EventHandler(consumer = "billing")
        @SuppressWarnings("UnusedMethod")
        private void hidden() {}
    }

    @Configuration(proxyBeanMethods = false)
    static class Right {
        @Bean
        RightHandlers handlers() {
            return new RightHandlers();
        }
    }

    static class RightHandlers {

        @EventHandler(consumer = "billing")
        void bill(Event event) {}
    }

    private static ApplicationContextRunner application() {
        return new ApplicationContextRunner()
                .withConfiguration(AutoConfigurations.of(
                        DataSourceAutoConfiguration.class,
                        DataSourceTransactionManagerAutoConfiguration.class,
                        JdbcTemplateAutoConfiguration.class,
                        PosthornCodecAutoConfiguration.class,
                        PosthornAutoConfiguration.class))
                .withPropertyValues("spring.datasource.url=" + URL);
    }

    @Test
    void everyFaultOfTheRoutesIsNamed() {
        application()
                .withPropertyValues(
                        "posthorn.routes.a.transport=carrier-pigeon",
                        "posthorn.routes.b.start=yesterday",
                        "posthorn.routes.c.after-dead=panic",
                        "posthorn.routes.d.transport=postgres-log")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("posthorn.routes.a.transport: \"carrier-pigeon\" is neither")
                        .hasMessageContaining("posthorn.routes.b: \"yesterday\" is not where a route can start")
                        .hasMessageContaining("posthorn.routes.c: after-dead is \"panic\"")
                        .hasMessageContaining("posthorn.routes.d.transport is postgres-log"));
    }

    @Test
    void withoutATransportItDoesNotStart() {
        application()
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("posthorn.routes.main.transport: no transport is configured")
                        .hasMessageContaining("Set posthorn.transport to an address (amqp://"));
    }

    @Test
    void ofTwoTransportsOneHasToBeChosen() {
        application()
                .withPropertyValues("posthorn.transports.near.address=memory", "posthorn.transports.far.address=memory")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("there are 2 transports, far, near, and none is chosen"));
    }

    @Test
    void memoryIsTakenWhereItIsNamed() {
        application()
                .withPropertyValues("posthorn.transport=memory")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void aConsumerWithoutATransportDoesNotStart() {
        application()
                .withUserConfiguration(Right.class)
                .withPropertyValues("posthorn.relay.enabled=false")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("posthorn.consumers.billing.transport: no transport is configured"));
    }

    @Test
    void everyFaultOfTheHandlersIsNamed() {
        application()
                .withUserConfiguration(Wrong.class)
                .withPropertyValues("posthorn.transport=memory")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("WrongHandlers.count returns int, but must return nothing or a Verdict")
                        .hasMessageContaining("WrongHandlers.two has 2 parameters that would be the payload")
                        .hasMessageContaining("WrongHandlers.hidden is private")
                        .hasMessageContaining("There are two handlers called \"count\""));
    }

    @Test
    void anApplicationThatSwitchesItOffHasNoneOfIt() {
        application()
                .withPropertyValues("posthorn.enabled=false")
                .run(context -> assertThat(context).doesNotHaveBean(SpringOutbox.class));
    }

    @Test
    void aConsumerCanNotReceiveFromWhatOnlyPublishes(@TempDir Path folder) {
        application()
                .withUserConfiguration(Right.class)
                .withPropertyValues(
                        "posthorn.transport=memory",
                        "posthorn.consumers.billing.transport=file:" + folder.resolve("events"))
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining(
                                "posthorn.consumers.billing.transport: the transport file can only publish"));
    }

    @Test
    void aFaultIsShownWithoutWhereItWasThrown() {
        InvalidPropertiesException fault = new InvalidPropertiesException(List.of("this is wrong", "that too"));

        FailureAnalysis shown = new InvalidPropertiesAnalyzer().analyze(fault, fault);

        assertThat(shown.getDescription()).isEqualTo("Posthorn can not start: this is wrong; that too.");
    }
}
