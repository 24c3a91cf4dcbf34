package dev.posthorn.transports.rabbitmq;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameRules;
import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How a RabbitMQ transport is set up. Faults are reported together when the transport is made.
 *
 * @param endpoint where the broker is
 * @param names of the exchange of events, of the subscribers' queues and of the exchange of dead letters. Default
 *     {@code {prefix}.events}, {@code {prefix}.{subscriber}} and {@code {prefix}.events.dlx}
 * @param routing keys and binding patterns
 * @param queues what queues are like
 * @param provision whether exchanges, queues and bindings are made, looked for or taken for granted. Default create
 * @param unroutable what becomes of an event that no queue would get. Default fail
 * @param limits how much at once
 * @param timeouts how long to wait
 */
public record RabbitMqConfig(
        Endpoint endpoint,
        Names names,
        Routing routing,
        Queues queues,
        Provisioning provision,
        Unroutable unroutable,
        Limits limits,
        Timeouts timeouts) {

    /**
     * How much at once.
     *
     * @param prefetch how many messages a member has unsettled, if its subscriber does not say; shared among the shards,
     *     at least one for each. Too low: a round trip for each event. Too high: a crash redelivers more. Default 10
     * @param maxMessageBytes the largest payload that is sent. The broker's own limit must not be lower: it closes the
     *     channel on a larger one, and what was on its way with it has to be sent again. Default 16 MiB
     */
    public record Limits(int prefetch, int maxMessageBytes) {

        public static final Limits STANDARD = new Limits(10, 16 << 20);

        private void check(List<String> faults) {
            if (prefetch < 1 || prefetch > 65_535) {
                faults.add("prefetch must be 1 to 65535, but is " + prefetch);
            }
            if (maxMessageBytes < 1 || maxMessageBytes > 512 << 20) {
                faults.add("the largest message must have 1 byte to 512 MiB, but has " + maxMessageBytes);
            }
        }
    }

    /** What AMQP says of names, with room for what is appended to them. */
    static final NameRules RULES = new NameRules(
            "RabbitMQ", Pattern.compile("[^A-Za-z0-9._:-]"), 1, 240, "letters, digits and . _ : -, and not amq. first");

    /** All defaults, with this prefix. */
    public static RabbitMqConfig of(Endpoint endpoint, String prefix) {
        Names names = new Names(
                prefix,
                NameTemplate.ofEvents("{prefix}.events"),
                NameTemplate.ofSubscribers("{prefix}.{subscriber}"),
                NameTemplate.ofEvents("{prefix}.events.dlx"));
        return new RabbitMqConfig(
                endpoint,
                names,
                Routing.STANDARD,
                Queues.STANDARD,
                Provisioning.STANDARD,
                Unroutable.FAIL,
                Limits.STANDARD,
                Timeouts.STANDARD);
    }

    public RabbitMqConfig endpoint(Endpoint endpoint) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    public RabbitMqConfig names(Names names) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    /**
     * With these names. A routing key that is given is taken as it is, without the slot that spreads keys over shards, so that a
     * subscriber has one queue.
     */
    public RabbitMqConfig named(NameSettings given) {
        RabbitMqConfig named = names(given.applied(names));
        return given.has(NameSettings.ROUTING_KEY)
                ? named.routing(routing.key(given.template(NameSettings.ROUTING_KEY))
                                .slotted(false))
                        .queues(queues.shards(1))
                : named;
    }

    public RabbitMqConfig routing(Routing routing) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    public RabbitMqConfig queues(Queues queues) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    public RabbitMqConfig provision(Provision mode) {
        return provision(provision.mode(mode));
    }

    public RabbitMqConfig provision(Provisioning provision) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    public RabbitMqConfig unroutable(Unroutable unroutable) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    public RabbitMqConfig limits(Limits limits) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    public RabbitMqConfig timeouts(Timeouts timeouts) {
        return new RabbitMqConfig(endpoint, names, routing, queues, provision, unroutable, limits, timeouts);
    }

    /** Throws with every fault, if there is any. */
    void check() {
        List<String> faults = new ArrayList<>();
        endpoint.check(faults);
        routing.check(faults);
        queues.check(faults);
        limits.check(faults);
        timeouts.check(faults);
        if (!routing.slotted() && queues.shards() > 1) {
            faults.add(
                    "without slots in the routing keys a subscriber has one queue, but shards is " + queues.shards());
        }
        checkName(names.events(), faults);
        checkName(names.subscribers(), faults);
        checkName(names.deadLetters(), faults);
        if (!faults.isEmpty()) {
            throw new PosthornException("The RabbitMQ transport can not be set up: " + String.join("; ", faults) + ".");
        }
    }

    /** What is not known yet is taken as one letter: it can only become longer. */
    private void checkName(NameTemplate template, List<String> faults) {
        try {
            var unused = name(template.fill(Map.of(
                    "prefix",
                    names.prefix(),
                    "domain",
                    "x",
                    "type",
                    "x",
                    "aggregate-type",
                    "x",
                    "tenant",
                    "x",
                    "subscriber",
                    "x")));
        } catch (PosthornException illegal) {
            faults.add(String.valueOf(illegal.getMessage()));
        }
    }

    /** As the broker takes it; throws if it can not be. */
    static String name(String filled) {
        String name = RULES.fit(filled);
        if (name.startsWith("amq.")) {
            throw new PosthornException("\"" + name + "\" can not be a name on RabbitMQ: amq. is the broker's own");
        }
        return name;
    }
}
