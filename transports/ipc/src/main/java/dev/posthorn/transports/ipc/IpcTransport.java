package dev.posthorn.transports.ipc;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.MemberSubscription;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Carries events between the processes of one host, through Unix domain sockets in a folder.
 *
 * <p>A hub keeps a bounded queue for each subscriber; an event is accepted when the queue of every subscriber that wants it has
 * it. Events of a key reach each subscriber in order, one at a time, also among its members. A subscriber begins with what
 * is published after its first member came, and is kept while it has none for as long as {@code timing.absence} says.
 *
 * <p>Not guaranteed: what is queued is lost when the hub's process dies, unless the acceptance is {@link Acceptance#HANDLED}.
 * Thread-safe.
 */
public final class IpcTransport implements Bus {

    static final int PREFETCH = 256;

    private final IpcConfig config;
    private final Hosting hosting;
    private final Reactor reactor = new Reactor("posthorn-ipc");
    private final Set<IpcPublisher> publishers = ConcurrentHashMap.newKeySet();
    private final Map<MemberSubscription, Member> subscriptions = new ConcurrentHashMap<>();
    private volatile boolean closed;

    public IpcTransport(IpcConfig config) {
        this.config = config;
        this.hosting = new Hosting(config);
        Duration often = config.timing().answer().dividedBy(10);
        reactor.every(often.compareTo(Duration.ofSeconds(1)) < 0 ? often : Duration.ofSeconds(1), this::look);
    }

    private void look() {
        publishers.removeIf(IpcPublisher::isClosed);
        subscriptions.keySet().removeIf(MemberSubscription::isClosed);
        publishers.forEach(IpcPublisher::giveUpOverdue);
        subscriptions.values().forEach(Member::endIfSilent);
    }

    @Override
    public String name() {
        return "ipc";
    }

    /** Durable is what is accepted only when it is handled: then nothing that was accepted can be lost. */
    @Override
    public Capabilities capabilities() {
        return new Capabilities(
                true,
                config.acceptance() == Acceptance.HANDLED,
                true,
                false,
                config.unroutable() == Unroutable.FAIL,
                config.limits().maxMessageBytes(),
                Duration.ZERO);
    }

    /** A member keeps what it has as long as its process answers, however long a handler takes. */
    @Override
    public Duration ackDeadline() {
        return Duration.ZERO;
    }

    @Override
    public Publisher publisher() {
        IpcPublisher publisher = new IpcPublisher(reactor, config, hosting);
        publishers.add(publisher);
        if (closed) {
            publisher.close();
        }
        return publisher;
    }

    @Override
    public Subscription subscribe(Subscriber subscriber, Receiver receiver) {
        if (closed) {
            throw new PosthornException(
                    "Subscriber " + subscriber.name() + " can not be added: the IPC transport is closed.");
        }
        if (config.shape() == Shape.PEERS) {
            var unused = new Folder(config.folder()).socket(Folder.peer(subscriber.name()));
        }
        Handout handout = new Handout(subscriber, receiver, PREFETCH);
        Member member = new Member(reactor, config, subscriber, handout, hosting);
        MemberSubscription subscription = new MemberSubscription(subscriber, handout, member);
        subscriptions.put(subscription, member);
        subscription.start();
        return subscription;
    }

    /** Ends publishers and subscriptions, then the hubs that are hosted here, which wait for their queues. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        List.copyOf(publishers).forEach(IpcPublisher::close);
        List.copyOf(subscriptions.keySet()).forEach(MemberSubscription::close);
        hosting.close();
        reactor.close();
    }
}
