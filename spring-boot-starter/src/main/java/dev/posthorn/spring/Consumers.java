package dev.posthorn.spring;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.Unhandled;
import dev.posthorn.postgres.ReplayLoop;
import dev.posthorn.spring.PosthornProperties.ConsumerProperties;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;

/** The consumers that methods with {@link EventHandler} make up, started and stopped with the application. */
final class Consumers implements SmartLifecycle {

    private static final Logger LOG = LoggerFactory.getLogger(Consumers.class);

    private record Running(Consumer<Connection> consumer, ReplayLoop replaying) {

        void stop() {
            consumer.close();
            replaying.close();
        }
    }

    /** A consumer that can be started. */
    private record Plan(
            ConsumerConfig config, Handlers<Connection> handlers, Bus bus, Equipment<Connection> equipment) {}

    private final LogPlace place;
    private final PosthornProperties properties;
    private final HandlerMethods methods;
    private final Destinations destinations;
    private final Workplace workplace;
    private final List<Running> running = new CopyOnWriteArrayList<>();
    private volatile boolean started;

    /** What all consumers share, who has the last word on their configuration, and what stands around their handlers. */
    record Workplace(
            Equipment<Connection> equipment, List<ConsumerCustomizer> customizers, List<HandlerWrapper> wrappers) {}

    Consumers(
            LogPlace place,
            PosthornProperties properties,
            HandlerMethods methods,
            Destinations destinations,
            Workplace workplace) {
        this.place = place;
        this.properties = properties;
        this.methods = methods;
        this.destinations = destinations;
        this.workplace = workplace;
    }

    /** Adds what is wrong with properties and handlers. */
    void check(List<String> faults) {
        var unused = plans(faults);
    }

    @Override
    public void start() {
        List<String> faults = new ArrayList<>();
        List<Plan> plans = plans(faults);
        InvalidPropertiesException.throwIfAny(faults);
        properties.consumers().forEach((name, given) -> {
            if (!given.enabled()) {
                LOG.info("Consumer {} is switched off", name);
            } else if (plans.stream()
                    .noneMatch(plan -> plan.config().subscriber().name().equals(name))) {
                LOG.warn("posthorn.consumers.{} is of no effect: no @EventHandler has this consumer", name);
            }
        });
        plans.forEach(plan -> running.add(start(plan)));
        started = true;
    }

    private List<Plan> plans(List<String> faults) {
        List<Plan> plans = new ArrayList<>();
        Map<String, Handlers<Connection>> found = methods.find(faults);
        found.forEach((name, handlers) -> {
            ConsumerProperties given = properties.consumers().getOrDefault(name, ConsumerProperties.standard());
            if (!given.enabled()) {
                return;
            }
            Optional<Bus> bus =
                    destinations.findBus(given.transport(), "posthorn.consumers." + name + ".transport", faults);
            config(name, given, faults)
                    .ifPresent(config ->
                            bus.ifPresent(from -> plans.add(new Plan(config, handlers, from, equipment(given)))));
        });
        return plans;
    }

    private Equipment<Connection> equipment(ConsumerProperties given) {
        return given.deadLetters().alsoToTransport() ? workplace.equipment().alsoToTransport() : workplace.equipment();
    }

    private Optional<ConsumerConfig> config(String name, ConsumerProperties given, List<String> faults) {
        PropertyReader read = new PropertyReader("posthorn.consumers." + name, faults);
        read.atLeast("concurrency", 1, given.concurrency());
        read.atLeast("handler-time", Duration.ofMillis(1), given.handlerTime());
        Optional<Unhandled> unhandled = read.read("unhandled", () -> unhandled(given.unhandled()));
        Optional<RetryPolicy> retries = Retries.of(given.retry(), ConsumerConfig.RETRIES, read);
        return read.isFine()
                ? read.read(
                        "",
                        () -> customized(ConsumerConfig.of(Subscriber.named(name)
                                        .domains(given.domains().toArray(String[]::new))
                                        .types(given.types().toArray(String[]::new))
                                        .concurrency(given.concurrency()))
                                .handlerTime(given.handlerTime())
                                .retries(retries.orElseThrow())
                                .unhandled(unhandled.orElseThrow())))
                : Optional.empty();
    }

    private ConsumerConfig customized(ConsumerConfig given) {
        ConsumerConfig config = given;
        for (ConsumerCustomizer customizer : workplace.customizers()) {
            config = customizer.customize(config);
        }
        return config;
    }

    private static Unhandled unhandled(String given) {
        return switch (given) {
            case "ignore" -> Unhandled.IGNORE;
            case "retry" -> Unhandled.RETRY;
            case "dead-letter" -> Unhandled.DEAD_LETTER;
            default ->
                throw new IllegalArgumentException("it is \"" + given + "\", but must be ignore, retry or dead-letter");
        };
    }

    private Running start(Plan plan) {
        Handlers<Connection> handlers = plan.handlers();
        for (HandlerWrapper wrapper : workplace.wrappers()) {
            handlers = handlers.around(wrapper::around);
        }
        Consumer<Connection> consumer = Consumer.start(plan.bus(), plan.config(), handlers, plan.equipment());
        LOG.info(
                "Consumer {} receives from {}",
                plan.config().subscriber().name(),
                plan.bus().name());
        return new Running(consumer, ReplayLoop.of(consumer, place.database(), place.schema()));
    }

    @Override
    public void stop() {
        running.parallelStream().forEach(Running::stop);
        running.clear();
        started = false;
    }

    @Override
    public boolean isRunning() {
        return started;
    }

    @Override
    public int getPhase() {
        return Phases.CONSUMERS;
    }
}
