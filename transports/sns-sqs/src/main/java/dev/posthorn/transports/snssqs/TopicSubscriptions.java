package dev.posthorn.transports.snssqs;

import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Subscriber;
import java.util.LinkedHashMap;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.services.sns.SnsClient;
import software.amazon.awssdk.services.sns.model.InvalidParameterException;

/** Lets a topic send to a queue what its subscriber wants. */
final class TopicSubscriptions {

    private static final Logger LOG = LoggerFactory.getLogger(TopicSubscriptions.class);
    private static final String RAW = "RawMessageDelivery";
    private static final String FILTER = "FilterPolicy";
    /** How many combinations of values Amazon allows in a filter. */
    private static final int MOST_COMBINATIONS = 150;

    private final SnsClient sns;
    private final boolean raw;

    TopicSubscriptions(SnsClient sns, boolean raw) {
        this.sns = sns;
        this.raw = raw;
    }

    /** One that exists gets the filter and kind of delivery that are wanted now. */
    void ensure(String topicArn, String queueArn, Subscriber subscriber) {
        String filter = filterOf(subscriber);
        Map<String, String> attributes = new LinkedHashMap<>();
        attributes.put(RAW, Boolean.toString(raw));
        if (!filter.equals("{}")) {
            attributes.put(FILTER, filter);
            attributes.put("FilterPolicyScope", "MessageAttributes");
        }
        try {
            var unused = sns.subscribe(request -> request.topicArn(topicArn)
                    .protocol("sqs")
                    .endpoint(queueArn)
                    .attributes(attributes)
                    .returnSubscriptionArn(true));
        } catch (InvalidParameterException different) {
            String existing = find(topicArn, queueArn, different);
            set(existing, RAW, Boolean.toString(raw));
            set(existing, FILTER, filter);
        }
    }

    private String find(String topicArn, String queueArn, RuntimeException otherwise) {
        return sns.listSubscriptionsByTopicPaginator(request -> request.topicArn(topicArn)).subscriptions().stream()
                .filter(one -> queueArn.equals(one.endpoint()))
                .findFirst()
                .orElseThrow(() -> otherwise)
                .subscriptionArn();
    }

    private void set(String subscription, String attribute, String value) {
        var unused = sns.setSubscriptionAttributes(request ->
                request.subscriptionArn(subscription).attributeName(attribute).attributeValue(value));
    }

    /** By domain and type. What Amazon can not filter, because it is too much, the member drops. */
    static String filterOf(Subscriber subscriber) {
        int domains = subscriber.domains().size();
        int types = subscriber.types().size();
        Map<String, Object> filter = new LinkedHashMap<>();
        if (domains > 0 && domains <= MOST_COMBINATIONS) {
            filter.put(EventMessage.DOMAIN, subscriber.domains());
        }
        if (types > 0 && types * Math.max(1, filter.isEmpty() ? 1 : domains) <= MOST_COMBINATIONS) {
            filter.put(EventMessage.TYPE, subscriber.types());
        }
        if (filter.size() < (domains > 0 ? 1 : 0) + (types > 0 ? 1 : 0)) {
            LOG.info("Subscriber {} wants more domains and types than a filter of SNS can hold", subscriber.name());
        }
        return Wire.json(filter);
    }
}
