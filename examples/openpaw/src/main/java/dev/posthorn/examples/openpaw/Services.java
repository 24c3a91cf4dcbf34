package dev.posthorn.examples.openpaw;

import dev.posthorn.commands.CommandRunner;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresCommandInbox;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/** All consumers in one process: those of events, and that of commands. */
public final class Services implements AutoCloseable {

    /** Runs the commands. */
    public static final String ORCHESTRATOR = "worker-orchestrator";

    private static final Duration LEASE = Duration.ofSeconds(30);

    private final List<Consumer<?>> consumers = new ArrayList<>();

    private Services() {}

    /** Starts all; the wrapper may look at what each handles. */
    public static Services start(
            Bus bus,
            DataSource database,
            Outbox outbox,
            SyncWorker sync,
            BiFunction<Service, EventHandler<Connection>, EventHandler<Connection>> wrapper) {
        Services services = new Services();
        RewardSettlement rewards = new RewardSettlement(outbox);
        for (Service service : Service.values()) {
            EventHandler<Connection> handler = switch (service) {
                case REWARDS -> rewards.handler();
                case REPUTATION -> Reputation.handler();
                case SYNC -> sync.handler();
            };
            services.consumers.add(consumer(bus, service, database, wrapper.apply(service, handler)));
        }
        services.consumers.add(orchestrator(bus, rewards.runner(database, LEASE), database));
        return services;
    }

    // docs:start:openpaw-consumers
    /** Starts a member of a service. It uses up to five connections at once. */
    static Consumer<Connection> consumer(
            Bus bus, Service service, DataSource database, EventHandler<Connection> handler) {
        return Consumer.start(
                bus,
                ConsumerConfig.of(
                        subscriber(service.subscriber(), service.types().toArray(String[]::new))),
                Handlers.<Connection>none().onAll("main", handler),
                PostgresInbox.equipment(database, Schema.DEFAULT));
    }

    /** Starts a member that runs commands, each once. */
    static Consumer<?> orchestrator(Bus bus, CommandRunner<Connection> runner, DataSource database) {
        return PostgresCommandInbox.consume(
                bus,
                ConsumerConfig.of(subscriber(ORCHESTRATOR, Openpaw.SETTLE_REWARD)),
                runner,
                database,
                Schema.DEFAULT);
    }
    // docs:end:openpaw-consumers

    private static Subscriber subscriber(String name, String... types) {
        return Subscriber.named(name).domains(Openpaw.DOMAIN).types(types);
    }

    /** Deliveries of events that were handled before. Commands that came again were answered by their run. */
    public long duplicates() {
        return consumers.stream()
                .mapToLong(consumer -> consumer.report().totals().skipped())
                .sum();
    }

    @Override
    public void close() {
        consumers.forEach(Consumer::close);
    }
}
