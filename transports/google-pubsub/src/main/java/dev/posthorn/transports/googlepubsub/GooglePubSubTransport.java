package dev.posthorn.transports.googlepubsub;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.MemberSubscription;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Carries events through topics of Google Cloud Pub/Sub, one for each domain or one for all.
 *
 * <p>The ordering key of a message is the event's key. Every subscriber has a subscription on each of its topics, with message
 * ordering, which its members share: Pub/Sub brings the messages of a key to one of them at a time. An event is accepted when
 * Pub/Sub has answered, which keeps it in several zones.
 *
 * <p>Not guaranteed: the order among publishers in different regions, see {@link Endpoint#address}. A member that stands still
 * for longer than the ack deadline may still be handling an event when another begins with the same. Thread-safe.
 */
public final class GooglePubSubTransport implements Bus, SubscriberCheck {

    private static final int PREFETCH = 100;
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final GooglePubSubConfig config;
    private final TopicNames names;
    /** As many as there is to do at once; what comes after the end, of calls that ended with it, is nobody's concern. */
    private final ExecutorService calls = new ThreadPoolExecutor(
            0,
            Integer.MAX_VALUE,
            IDLE.toSeconds(),
            TimeUnit.SECONDS,
            new SynchronousQueue<>(),
            daemons(),
            new ThreadPoolExecutor.DiscardPolicy());

    private final Set<PubSubPublisher> publishers = ConcurrentHashMap.newKeySet();
    private final Set<MemberSubscription> subscriptions = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean closed = new AtomicBoolean();

    public GooglePubSubTransport(GooglePubSubConfig config) {
        this.config = config;
        this.names = new TopicNames(config.endpoint().project(), config.names());
    }

    private static ThreadFactory daemons() {
        AtomicInteger number = new AtomicInteger();
        return work -> Threads.daemon("posthorn-pubsub-calls-" + number.getAndIncrement(), work);
    }

    @Override
    public String name() {
        return "google-pubsub";
    }

    @Override
    public Capabilities capabilities() {
        return new Capabilities(true, true, true, false, false, config.maxMessageBytes(), Duration.ZERO);
    }

    @Override
    public Duration ackDeadline() {
        return config.subscriptions().ackDeadline();
    }

    @Override
    public Publisher publisher() {
        publishers.removeIf(PubSubPublisher::isClosed);
        Link link = link();
        TopicKeeper topics = new TopicKeeper(new Provisioner(link, config, names), calls);
        PubSubPublisher publisher = new PubSubPublisher(new Courier(link, config, names, topics), config, names);
        publishers.add(publisher);
        if (closed.get()) {
            publisher.close();
        }
        return publisher;
    }

    private Link link() {
        return new Link(config.endpoint(), config.timing().answer(), calls);
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        if (closed.get()) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " can not be added: the Google Pub/Sub transport is closed.");
        }
        Set<String> domains = names.domainsOf(subscriber);
        for (String domain : domains.isEmpty() ? Set.of("d") : domains) {
            String unused = names.subscriptionOf(subscriber.name(), domain); // fails if there can be no such name
        }
        subscriptions.removeIf(MemberSubscription::isClosed);
        Link link = link();
        Semaphore wake = new Semaphore(0);
        Handout handout = new Handout(subscriber, receiver, PREFETCH);
        Member.Parts parts = new Member.Parts(
                new Member.Links(link(), link),
                new Provisioner(link, config, names),
                new Settlements(subscriber, link, names, wake::release),
                new Leases(link, ackDeadline()),
                handout,
                subscriber.limits().prefetchOr(PREFETCH));
        Member member = new Member(subscriber, config, parts, domains.isEmpty(), wake);
        MemberSubscription subscription = new MemberSubscription(subscriber, handout, member);
        subscriptions.add(subscription);
        subscription.start();
        return subscription;
    }

    /** Topics without a subscription. */
    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        if (destinations.isEmpty()) {
            return Set.of();
        }
        Link link = link();
        try {
            return new Provisioner(link, config, names).unsubscribed(destinations);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            throw new PosthornException("Stopped while Pub/Sub was asked who subscribes", stop);
        } catch (RuntimeException failed) {
            throw new PosthornException("Pub/Sub does not say who subscribes: " + Answers.reasonOf(failed), failed);
        } finally {
            link.close();
        }
    }

    /** Closes its subscriptions and publishers. */
    @Override
    public void close() {
        if (closed.compareAndSet(false, true)) {
            subscriptions.forEach(MemberSubscription::close);
            publishers.forEach(PubSubPublisher::close);
            calls.shutdown();
        }
    }
}
