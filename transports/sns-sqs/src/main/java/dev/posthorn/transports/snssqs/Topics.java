package dev.posthorn.transports.snssqs;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Provisioning;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import software.amazon.awssdk.services.sns.model.Topic;

/** The addresses of topics, which are made or looked for as the configuration says. Thread-safe. */
final class Topics {

    /** Repeated ids are recognised within a message group, which is what limits it to the fewest and costs nothing. */
    private static final Map<String, String> FIFO =
            Map.of("FifoTopic", "true", "ContentBasedDeduplication", "false", "FifoThroughputScope", "MessageGroup");

    private final SnsSqsConfig config;
    private final Clients clients;
    private final Map<String, String> known = new ConcurrentHashMap<>();

    Topics(SnsSqsConfig config, Clients clients) {
        this.config = config;
        this.clients = clients;
    }

    /** Asks Amazon the first time; throws what Amazon says. */
    String addressOf(String topic) {
        String address = known.get(topic);
        if (address == null) {
            address = provided(topic);
            known.put(topic, address);
        }
        return address;
    }

    /** It is missing after all. */
    void forget(String topic) {
        known.remove(topic);
    }

    private String provided(String topic) {
        Provisioning provisioning = config.provision();
        if (provisioning.isOff()) {
            return config.access().arn("sns", topic);
        }
        Optional<String> found = mayLook(topic) ? find(topic) : Optional.empty();
        if (found.isEmpty() && !provisioning.mayCreate(DestinationKind.TOPIC, topic)) {
            throw new PosthornException(provisioning.missing(DestinationKind.TOPIC, topic));
        }
        String address = found.orElseGet(() -> created(topic));
        provisioning.found(DestinationKind.TOPIC, topic);
        return address;
    }

    /** To create a topic that exists only answers its address. So one that may be created need not be looked for among all. */
    private boolean mayLook(String topic) {
        return config.access().account().isPresent()
                || config.provision().register().isKnown(DestinationKind.TOPIC, topic);
    }

    /** One that exists is left as it is, whatever it is like. */
    private Optional<String> find(String topic) {
        if (config.access().account().isEmpty()) {
            return clients.sns().listTopicsPaginator().topics().stream()
                    .map(Topic::topicArn)
                    .filter(arn -> arn.endsWith(":" + topic))
                    .findFirst();
        }
        String address = config.access().arn("sns", topic);
        try {
            var unused = clients.sns().getTopicAttributes(request -> request.topicArn(address));
            return Optional.of(address);
        } catch (RuntimeException failure) {
            if (!Failures.isMissing(failure)) {
                throw failure;
            }
            return Optional.empty();
        }
    }

    private String created(String topic) {
        return clients.sns()
                .createTopic(request -> request.name(topic).attributes(FIFO))
                .topicArn();
    }

    /** Of these topics, those that exist and have no subscription. */
    Set<String> unsubscribed(Set<String> wanted) {
        Set<String> without = new TreeSet<>();
        for (String topic : wanted) {
            Optional<String> address = find(topic);
            if (address.isPresent()
                    && clients.sns()
                            .listSubscriptionsByTopic(request -> request.topicArn(address.get()))
                            .subscriptions()
                            .isEmpty()) {
                without.add(topic);
            }
        }
        return without;
    }
}
