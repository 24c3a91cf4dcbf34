package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transports.memory.MemoryTransport;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

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
                        .hasMessageContaining("posthorn.routes.b.start: \"yesterday\" is not where a route can start")
                        .hasMessageContaining("posthorn.routes.c.after-dead: it is \"panic\"")
                        .hasMessageContaining("posthorn.routes.d.transport is postgres-log"));
    }

    @Test
    void faultsOfEveryPartAreNamedTogetherEachWithItsProperty() {
        application()
                .withUserConfiguration(Right.class)
                .withPropertyValues(
                        "posthorn.transport=memory",
                        "posthorn.schema=no$dollar",
                        "posthorn.outbox.max-payload=1GB",
                        "posthorn.relay.lease-ttl=10ms",
                        "posthorn.relay.batch=0",
                        "posthorn.retention.inbox=-1d",
                        "posthorn.health.figures-every=0s",
                        "posthorn.transports.far.address=memory",
                        "posthorn.transports.far.provision=perhaps",
                        "posthorn.routes.a.transport=far",
                        "posthorn.routes.b.retry.policy=sometimes",
                        "posthorn.routes.c.retry-by-type.order.placed=never",
                        "posthorn.consumers.billing.concurrency=0",
                        "posthorn.consumers.billing.transport=nowhere")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("posthorn.schema: The name \"no$dollar\" contains $")
                        .hasMessageContaining("posthorn.outbox.max-payload: ")
                        .hasMessageContaining("posthorn.relay.lease-ttl: it is 10ms, but must be at least 1s")
                        .hasMessageContaining("posthorn.relay.batch: it is 0, but must be at least 1")
                        .hasMessageContaining("posthorn.retention.inbox: it is -86400s")
                        .hasMessageContaining("posthorn.health.figures-every: ")
                        .hasMessageContaining("posthorn.transports.far.provision: \"perhaps\" is not a way")
                        .hasMessageContaining("posthorn.routes.b.retry.policy: There is no retry policy \"sometimes\"")
                        .hasMessageContaining("posthorn.routes.c.retry-by-type.order.placed: There is no retry policy")
                        .hasMessageContaining("posthorn.consumers.billing.concurrency: it is 0")
                        .hasMessageContaining("posthorn.consumers.billing.transport: \"nowhere\" is neither"));
    }

    @Test
    void anOlderSchemaIsRefusedWithTheCommandAndTheProperty() throws SQLException {
        String url = Shop.database();
        ApplicationContextRunner shop =
                application().withPropertyValues("posthorn.transport=memory", "spring.datasource.url=" + url);
        shop.run(context -> assertThat(context).hasNotFailed()); // it has created the schema
        try (Connection connection = DriverManager.getConnection(url);
                Statement statement = connection.createStatement()) {
            statement.execute("DELETE FROM posthorn.migration WHERE version > 30");
        }

        for (String unwanted : List.of("unrelated=true", "posthorn.migrate=false")) {
            shop.withPropertyValues(unwanted)
                    .run(context -> assertThat(context.getStartupFailure())
                            .rootCause()
                            .hasMessageContaining("migrations 0031_changed_payload to")
                            .hasMessageContaining("posthorn schema migrate --schema \"posthorn\"")
                            .hasMessageContaining("posthorn.migrate=true"));
        }
    }

    @Test
    void aPolicyForOneTypeComesFromPropertiesAndFromVariables() {
        PosthornProperties bound = Binder.get(environment(Map.of(
                        "POSTHORN_ROUTES_MAIN_RETRYBYTYPE_ORDER_PLACED", "fixed",
                        "POSTHORN_TRANSPORT", "memory")))
                .bind("posthorn", PosthornProperties.class)
                .get();
        assertThat(Objects.requireNonNull(bound.routes().get("main")).retryByType())
                .containsEntry("order.placed", "fixed");

        List<String> faults = new ArrayList<>();
        try (Destinations destinations = new Destinations(
                bound, Map.of(), (address, with) -> MemoryTransport.builder().build(), null)) {
            RoutePlans.Plan plan =
                    new RoutePlans(bound, destinations).read(faults).get(0);
            assertThat(faults).isEmpty();
            assertThat(plan.policy().retryByType()).containsOnlyKeys("order.placed");
        }
    }

    @Test
    void aVariableThatWouldReachNoTypeIsRefusedWithTheOneThatDoes() {
        StartFaults faults = new StartFaults();

        VariableNames.check(environment(Map.of("POSTHORN_ROUTES_MAIN_RETRY_BY_TYPE_ORDER_PLACED", "fixed")), faults);

        assertThat(faults.all())
                .singleElement()
                .asString()
                .contains("POSTHORN_ROUTES_MAIN_RETRYBYTYPE_ORDER_PLACED", "the event type order.placed");
    }

    private static StandardEnvironment environment(Map<String, Object> variables) {
        StandardEnvironment environment = new StandardEnvironment();
        environment
                .getPropertySources()
                .replace(
                        StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
                        new SystemEnvironmentPropertySource(
                                StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME, variables));
        return environment;
    }

    @Test
    void aMisspelledPrefixIsRefusedUntilItIsConfirmed(@TempDir Path folder) {
        String[] before = {
            "spring.datasource.url=" + Shop.database(),
            "posthorn.transports.out.address=file:" + folder.resolve("events"),
            "posthorn.transports.out.prefix=shop"
        };
        application()
                .withPropertyValues(before)
                .run(context -> assertThat(context).hasNotFailed());
        before[2] = "posthorn.transports.out.prefix=shpo";

        application()
                .withPropertyValues(before)
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .isInstanceOf(InvalidPropertiesException.class)
                        .hasMessageContaining("posthorn.routes.main.transport: Route \"main\" has published to")
                        .hasMessageContaining("posthorn.confirm-destination=true"));
        application()
                .withPropertyValues(before)
                .withPropertyValues("posthorn.confirm-destination=true")
                .run(context -> assertThat(context).hasNotFailed());
        application()
                .withPropertyValues(before)
                .run(context -> assertThat(context).hasNotFailed());
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
    void whatBecomesOfUnhandledEventsIsOneOfThree() {
        application()
                .withUserConfiguration(Right.class)
                .withPropertyValues("posthorn.transport=memory", "posthorn.consumers.billing.unhandled=drop")
                .run(
                        context -> assertThat(context.getStartupFailure())
                                .rootCause()
                                .hasMessageContaining(
                                        "posthorn.consumers.billing.unhandled: it is \"drop\", but must be ignore, retry or dead-letter"));
    }

    @Test
    void aFaultIsShownWithoutWhereItWasThrown() {
        InvalidPropertiesException fault = new InvalidPropertiesException(List.of("this is wrong", "that too"));

        FailureAnalysis shown = new InvalidPropertiesAnalyzer().analyze(fault, fault);

        assertThat(shown.getDescription()).isEqualTo("Posthorn can not start: this is wrong; that too.");
    }
}
