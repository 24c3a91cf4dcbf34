package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.Provision;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

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
        if (config.provision() == Provision.CREATE) {
            return created(topic);
        }
        String address = config.access().arn("sns", topic);
        if (config.provision() == Provision.VERIFY) {
            var unused = clients.sns().getTopicAttributes(request -> request.topicArn(address));
        }
        return address;
    }

    /** One that exists is left as it is, whatever it is like. */
    private String created(String topic) {
        if (config.access().account().isPresent()) {
            String address = config.access().arn("sns", topic);
            try {
                var unused = clients.sns().getTopicAttributes(request -> request.topicArn(address));
                return address;
            } catch (RuntimeException failure) {
                if (!Failures.isMissing(failure)) {
                    throw failure;
                }
            }
        }
        return clients.sns()
                .createTopic(request -> request.name(topic).attributes(FIFO))
                .topicArn();
    }
}
