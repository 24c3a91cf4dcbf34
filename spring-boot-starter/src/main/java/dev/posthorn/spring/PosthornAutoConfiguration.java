package dev.posthorn.spring;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.operations.PruneMetrics;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresConsumers;
import dev.posthorn.postgres.PostgresDeadLetters;
import dev.posthorn.postgres.PostgresDestinations;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.RelayNames;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;
import org.springframework.transaction.PlatformTransactionManager;

/** Outbox, relays and consumers over the application's data source. */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration",
            "org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration"
        })
@ConditionalOnProperty(name = "posthorn.enabled", matchIfMissing = true)
@ConditionalOnBean({DataSource.class, PlatformTransactionManager.class})
@EnableConfigurationProperties({
    PosthornProperties.class,
    PosthornOutboxProperties.class,
    PosthornRelayProperties.class,
    PosthornHealthProperties.class,
    PosthornRetentionProperties.class
})
class PosthornAutoConfiguration {

    private static final String CONSOLE_PLAN = "posthornConsolePlan";

    @Bean
    StartFaults posthornStartFaults(Environment environment) {
        StartFaults faults = new StartFaults();
        VariableNames.check(environment, faults);
        return faults;
    }

    @Bean
    SpringTransactions posthornTransactions(
            PosthornProperties properties,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<DataSource> databases,
            ObjectProvider<PlatformTransactionManager> managers) {
        DataSource database = properties.dataSource() == null
                ? only(databases, "data source; name one in posthorn.data-source, or make one primary")
                : beans.getBean(properties.dataSource(), DataSource.class);
        return new SpringTransactions(database, only(managers, "transaction manager; make one primary"));
    }

    private static <T> T only(ObjectProvider<T> provider, String otherwise) {
        T found = provider.getIfUnique();
        if (found == null) {
            throw new InvalidPropertiesException(List.of("there is more than one " + otherwise));
        }
        return found;
    }

    @Bean
    LogPlace posthornLog(PosthornProperties properties, SpringTransactions transactions, StartFaults faults) {
        return new LogPlace(transactions.database(), schemaOf(properties, faults));
    }

    private static Schema schemaOf(PosthornProperties properties, StartFaults faults) {
        try {
            return new Schema(properties.schema());
        } catch (IllegalArgumentException wrong) {
            faults.add("posthorn.schema: " + wrong.getMessage());
            return Schema.DEFAULT;
        }
    }

    /** Everything that can be wrong is named at once, before anything is changed or started. */
    @Bean
    StartCheck posthornStartCheck(
            ConfigurableListableBeanFactory beans,
            PosthornProperties properties,
            StartFaults faults,
            Relays relays,
            Consumers consumers) {
        if (beans.containsBean(CONSOLE_PLAN)) {
            var unused = beans.getBean(CONSOLE_PLAN); // adds its faults
        }
        StartCheck check = new StartCheck(
                faults,
                List.of(
                        beans.getBean(PosthornRelayProperties.class)::check,
                        beans.getBean(PosthornRetentionProperties.class)::check,
                        beans.getBean(PosthornHealthProperties.class)::check,
                        found -> maxPayload(beans.getBean(PosthornOutboxProperties.class), found),
                        relays::check,
                        consumers::check));
        StartCheck.prepare(beans.getBean(LogPlace.class), properties.migrate());
        return check;
    }

    private static Optional<PostgresOutboxConfig> maxPayload(PosthornOutboxProperties given, List<String> faults) {
        return new PropertyReader("posthorn.outbox", faults)
                .read(
                        "max-payload",
                        () -> PostgresOutboxConfig.DEFAULT.withMaxPayloadBytes((int)
                                Math.min(Integer.MAX_VALUE, given.maxPayload().toBytes())));
    }

    @Bean
    Destinations posthornDestinations(
            PosthornProperties properties,
            PosthornRelayProperties relay,
            LogPlace place,
            ConfigurableListableBeanFactory beans) {
        return new Destinations(
                properties,
                beans.getBeansOfType(Transport.class),
                (address, with) -> TransportAddress.open(
                        address,
                        new TransportAddress.Settings(
                                with.prefix(),
                                with.names().settings(),
                                with.client(),
                                new Provisioning(
                                        Provision.named(with.provision()),
                                        new PostgresDestinations(place.database(), place.schema())
                                                .register(Destinations.placeOf(address, with))),
                                place,
                                nameOf(relay),
                                relay.config())),
                beans.getBeanProvider(TransportOpener.class).getIfUnique());
    }

    private static String nameOf(PosthornRelayProperties relay) {
        return relay.name() == null ? RelayNames.fresh() : relay.name();
    }

    @Bean
    Lookout posthornLookout(
            LogPlace place, PosthornHealthProperties properties, ObjectProvider<MeterRegistry> registries) {
        return new Lookout(place, properties, registryOf(registries));
    }

    /** Without one, what is measured is forgotten. */
    private static MeterRegistry registryOf(ObjectProvider<MeterRegistry> registries) {
        return registries.getIfUnique((Supplier<MeterRegistry>) CompositeMeterRegistry::new);
    }

    @Bean
    Relays posthornRelays(
            LogPlace place,
            PosthornRelayProperties relay,
            PosthornProperties properties,
            Destinations destinations,
            Lookout lookout) {
        return new Relays(
                place,
                new Relays.Settings(relay, properties.confirmDestination()),
                new RoutePlans(properties, destinations),
                lookout,
                nameOf(relay));
    }

    @Bean
    @ConditionalOnMissingBean(Outbox.class)
    SpringOutbox posthornOutbox(
            LogPlace place,
            PosthornOutboxProperties properties,
            SpringTransactions transactions,
            Relays relays,
            ConfigurableListableBeanFactory beans) {
        Destinations destinations = beans.getBean(Destinations.class);
        Outbox outbox = new PostgresOutbox(maxPayload(properties, new ArrayList<>())
                .orElse(PostgresOutboxConfig.DEFAULT)
                .withSchema(place.schema()));
        ObjectProvider<StartCheck> check = beans.getBeanProvider(StartCheck.class);
        return new SpringOutbox(new CheckedOutbox(outbox, check::getObject), transactions, () -> {
            relays.wakeUp();
            destinations.wakeUp();
        });
    }

    @Bean
    Consumers.Workplace posthornWorkplace(
            LogPlace place,
            SpringTransactions transactions,
            ObjectProvider<ConsumerCustomizer> customizers,
            ObjectProvider<HandlerWrapper> wrappers) {
        Equipment<Connection> equipment = new Equipment<>(
                new SpringInbox(new PostgresInbox(place.database(), place.schema()), transactions),
                DeadLetterChain.of(
                        new PostgresDeadLetters(place.database(), place.schema()), DeadLetterTarget.TRANSPORT),
                new PostgresConsumers(place.database(), place.schema()));
        return new Consumers.Workplace(
                equipment,
                customizers.orderedStream().toList(),
                wrappers.orderedStream().toList());
    }

    @Bean
    Consumers posthornConsumers(
            LogPlace place,
            PosthornProperties properties,
            ConfigurableListableBeanFactory beans,
            Destinations destinations,
            Consumers.Workplace workplace) {
        PayloadCodec codec = beans.getBeanProvider(PayloadCodec.class).getIfUnique();
        return new Consumers(place, properties, new HandlerMethods(beans, codec), destinations, workplace);
    }

    @Bean
    Pruning posthornPruning(
            LogPlace place, PosthornRetentionProperties properties, ObjectProvider<MeterRegistry> registries) {
        return new Pruning(place, properties, new PruneMetrics(registryOf(registries), Clock.systemUTC()));
    }
}
