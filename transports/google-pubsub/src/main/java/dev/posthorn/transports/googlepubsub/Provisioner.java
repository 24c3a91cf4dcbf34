package dev.posthorn.transports.googlepubsub;

import com.google.protobuf.Duration;
import com.google.pubsub.v1.DeadLetterPolicy;
import com.google.pubsub.v1.ExpirationPolicy;
import com.google.pubsub.v1.GetSubscriptionRequest;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsRequest;
import com.google.pubsub.v1.ListTopicSubscriptionsResponse;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ListTopicsResponse;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.Subscriber;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes or looks for topics and subscriptions, and waits for the answers.
 *
 * <p>A subscriber of all domains must have a subscription on a new domain's topic before anything is published there. So it
 * enters itself in a register first and looks for topics then; who publishes to a topic makes it first and looks into the
 * register then: one of both finds the other. An entry is a subscription too, on a topic that nothing is published to.
 */
final class Provisioner {

    private final Link link;
    private final GooglePubSubConfig config;
    private final TopicNames names;

    Provisioner(Link link, GooglePubSubConfig config, TopicNames names) {
        this.link = link;
        this.config = config;
        this.names = names;
    }

    /** What a publisher needs for a topic. */
    void provideTopic(String domain) throws InterruptedException {
        if (config.provision().isOff()) {
            return;
        }
        List<String> missing = new ArrayList<>();
        topic(DestinationKind.TOPIC, names.topicOf(domain), missing);
        failIfAny(missing);
        if (config.provision().creates() && !names.isOneTopic()) {
            for (String subscriber : registered()) {
                subscription(subscriber, domain, missing); // one that is missing is its subscriber's concern
            }
        }
    }

    /** Makes everything that a subscriber needs. Answers its subscriptions, each with its domain. */
    Map<String, String> provide(Subscriber subscriber) throws InterruptedException {
        Map<String, String> subscriptions = new LinkedHashMap<>();
        List<String> missing = new ArrayList<>();
        for (String domain : domains(subscriber)) {
            if (!config.provision().isOff()) {
                topic(DestinationKind.TOPIC, names.topicOf(domain), missing);
                subscription(subscriber.name(), domain, missing);
            }
            subscriptions.put(names.subscriptionOf(subscriber.name(), domain), domain);
        }
        failIfAny(missing);
        return subscriptions;
    }

    private Iterable<String> domains(Subscriber subscriber) throws InterruptedException {
        if (!names.domainsOf(subscriber).isEmpty()) {
            return names.domainsOf(subscriber);
        }
        if (config.provision().isOff()) {
            throw new ProvisionException("subscriber " + subscriber.name() + " is of all domains, and with provision "
                    + "OFF nobody looks which there are; name them, or use one topic for all");
        }
        if (config.provision().creates()) {
            List<String> none = new ArrayList<>();
            topic(DestinationKind.SUBSCRIPTION, names.register(), none);
            Subscription entry =
                    lasting(names.entryOf(subscriber.name()), names.register()).build();
            made(DestinationKind.SUBSCRIPTION, entry, none);
            failIfAny(none);
        }
        TreeSet<String> domains = new TreeSet<>(names.ownTopicsOf(subscriber));
        String page = "";
        do {
            ListTopicsResponse topics = link.ask(
                    Rpc.LIST_TOPICS,
                    ListTopicsRequest.newBuilder()
                            .setProject(names.project())
                            .setPageToken(page)
                            .build());
            topics.getTopicsList()
                    .forEach(topic -> names.domainOfTopic(topic.getName()).ifPresent(domains::add));
            page = topics.getNextPageToken();
        } while (!page.isEmpty());
        return domains;
    }

    private List<String> registered() throws InterruptedException {
        List<String> subscribers = new ArrayList<>();
        String page = "";
        try {
            do {
                ListTopicSubscriptionsResponse entries = link.ask(
                        Rpc.LIST_SUBSCRIPTIONS,
                        ListTopicSubscriptionsRequest.newBuilder()
                                .setTopic(names.register())
                                .setPageToken(page)
                                .build());
                entries.getSubscriptionsList()
                        .forEach(entry -> TopicNames.subscriberOfEntry(entry).ifPresent(subscribers::add));
                page = entries.getNextPageToken();
            } while (!page.isEmpty());
        } catch (StatusRuntimeException failed) {
            if (!Answers.is(failed, Status.Code.NOT_FOUND)) { // else nobody has ever entered
                throw failed;
            }
        }
        return subscribers;
    }

    private void topic(DestinationKind kind, String topic, List<String> missing) throws InterruptedException {
        if (exists(() -> link.ask(
                        Rpc.GET_TOPIC,
                        GetTopicRequest.newBuilder().setTopic(topic).build()))
                .isPresent()) {
            config.provision().found(kind, topic);
        } else if (config.provision().mayCreate(kind, topic)) {
            create(() ->
                    link.ask(Rpc.CREATE_TOPIC, Topic.newBuilder().setName(topic).build()));
            config.provision().found(kind, topic);
        } else {
            missing.add(config.provision().missing(kind, topic));
        }
    }

    private void subscription(String subscriber, String domain, List<String> missing) throws InterruptedException {
        String deadLetters = names.deadLettersOf(domain);
        topic(DestinationKind.DEAD_LETTERS, deadLetters, missing);
        made(
                DestinationKind.DEAD_LETTERS,
                lasting(names.keeperOf(domain), deadLetters).build(),
                missing);
        SubscriptionSettings settings = config.subscriptions();
        String topic = names.topicOf(domain);
        Subscription.Builder wanted = lasting(names.subscriptionOf(subscriber, domain), topic)
                .setEnableMessageOrdering(true)
                .setEnableExactlyOnceDelivery(settings.exactlyOnce());
        if (settings.maxDeliveries() > 0) {
            wanted.setDeadLetterPolicy(DeadLetterPolicy.newBuilder()
                    .setDeadLetterTopic(deadLetters)
                    .setMaxDeliveryAttempts(settings.maxDeliveries()));
        }
        Optional<Subscription> found = made(DestinationKind.SUBSCRIPTION, wanted.build(), missing);
        if (found.isPresent()) {
            check(found.get(), topic);
        }
    }

    /** What can not be changed, and would break what the transport promises. */
    private static void check(Subscription found, String topic) {
        if (!found.getTopic().equals(topic)) {
            throw new ProvisionException(found.getName() + " reads " + found.getTopic() + " and not " + topic
                    + "; delete it, when it is empty, and it is made anew");
        }
        if (!found.getEnableMessageOrdering()) {
            throw new ProvisionException(found.getName() + " keeps no order, because it was made without message"
                    + " ordering; delete it, when it is empty, and make it anew");
        }
    }

    /** Never expires: by default Pub/Sub deletes a subscription that nobody has read for 31 days. */
    private Subscription.Builder lasting(String name, String topic) {
        return Subscription.newBuilder()
                .setName(name)
                .setTopic(topic)
                .setAckDeadlineSeconds(
                        (int) config.subscriptions().ackDeadline().toSeconds())
                .setMessageRetentionDuration(
                        seconds(config.subscriptions().retention().toSeconds()))
                .setExpirationPolicy(ExpirationPolicy.getDefaultInstance());
    }

    private static Duration.Builder seconds(long seconds) {
        return Duration.newBuilder().setSeconds(seconds);
    }

    /** What was there before. */
    private Optional<Subscription> made(DestinationKind kind, Subscription wanted, List<String> missing)
            throws InterruptedException {
        Optional<Subscription> found = exists(() -> link.ask(
                Rpc.GET_SUBSCRIPTION,
                GetSubscriptionRequest.newBuilder()
                        .setSubscription(wanted.getName())
                        .build()));
        String name = wanted.getName();
        if (found.isPresent()) {
            config.provision().found(kind, name);
        } else if (config.provision().mayCreate(kind, name)) {
            create(() -> link.ask(Rpc.CREATE_SUBSCRIPTION, wanted));
            config.provision().found(kind, name);
        } else {
            missing.add(config.provision().missing(kind, name));
        }
        return found;
    }

    private void failIfAny(List<String> missing) {
        if (!missing.isEmpty()) {
            throw new ProvisionException(String.join("; ", missing));
        }
    }

    /** Of these topics, those that exist and have no subscription. */
    Set<String> unsubscribed(Set<String> topics) throws InterruptedException {
        Set<String> without = new TreeSet<>();
        for (String topic : topics) {
            Optional<ListTopicSubscriptionsResponse> found = exists(() -> link.ask(
                    Rpc.LIST_SUBSCRIPTIONS,
                    ListTopicSubscriptionsRequest.newBuilder().setTopic(topic).build()));
            if (found.isPresent() && found.get().getSubscriptionsCount() == 0) {
                without.add(topic);
            }
        }
        return without;
    }

    private interface Question<T> {
        T ask() throws InterruptedException;
    }

    private static <T> Optional<T> exists(Question<T> question) throws InterruptedException {
        try {
            return Optional.of(question.ask());
        } catch (StatusRuntimeException failed) {
            if (Answers.is(failed, Status.Code.NOT_FOUND)) {
                return Optional.empty();
            }
            throw failed;
        }
    }

    private static void create(Question<?> making) throws InterruptedException {
        try {
            var unused = making.ask();
        } catch (StatusRuntimeException failed) {
            if (!Answers.is(failed, Status.Code.ALREADY_EXISTS)) { // else somebody was faster
                throw failed;
            }
        }
    }
}
