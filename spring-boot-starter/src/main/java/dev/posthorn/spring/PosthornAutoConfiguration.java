package dev.posthorn.spring;

import dev.posthorn.deadletter.DeadLetterChain;
import dev.posthorn.deadletter.DeadLetterTarget;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.operations.PruneMetrics;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresConsumers;
import dev.posthorn.postgres.PostgresDeadLetters;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.RelayNames;
import dev.posthorn.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.time.Clock;
import java.util.List;
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
    LogPlace posthornLog(PosthornProperties properties, SpringTransactions transactions) {
        Schema schema = new Schema(properties.schema());
        Migrations migrations = new Migrations(schema);
        if (properties.migrate()) {
            migrations.migrate(transactions.database());
        } else {
            migrations.validate(transactions.database());
        }
        return new LogPlace(transactions.database(), schema);
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
                                with.prefix(), with.client(), place, nameOf(relay), relay.config())),
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
        return new Relays(place, relay, new RoutePlans(properties, destinations), lookout, nameOf(relay));
    }

    @Bean
    @ConditionalOnMissingBean(Outbox.class)
    SpringOutbox posthornOutbox(
            LogPlace place,
            PosthornOutboxProperties properties,
            SpringTransactions transactions,
            Relays relays,
            Destinations destinations) {
        Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT
                .withSchema(place.schema())
                .withMaxPayloadBytes(Math.toIntExact(properties.maxPayload().toBytes())));
        return new SpringOutbox(outbox, transactions, () -> {
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
