package dev.posthorn.transports.ipc;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Handout;
import dev.posthorn.transport.MemberSubscription;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.Pauses;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The connection of one member, again and again. What was here when one is lost is forgotten: the hub gives it to somebody, and
 * a new hub knows nothing of it. Belongs to the reactor's thread but where said otherwise.
 */
final class Member implements MemberSubscription.Member, Link.User {

    private static final Logger LOG = LoggerFactory.getLogger(Member.class);

    private final Reactor reactor;
    private final IpcConfig config;
    private final Subscriber subscriber;
    private final Handout handout;
    private final Hosting hosting;
    private final String hub;
    private final int prefetch;
    private final FailureLog failures;
    private final Pauses pauses = Link.pauses();
    private final CountDownLatch begun = new CountDownLatch(1);
    private @Nullable Link link;
    private boolean ending;
    private boolean joined;
    private @Nullable CountDownLatch heard;
    private volatile @Nullable String outage = "it has not connected yet";

    Member(Reactor reactor, IpcConfig config, Subscriber subscriber, Handout handout, Hosting hosting) {
        this.reactor = reactor;
        this.config = config;
        this.subscriber = subscriber;
        this.failures = new FailureLog(LOG, "Receiving", "subscriber=" + subscriber.name());
        this.handout = handout;
        this.hosting = hosting;
        this.hub = config.shape() == Shape.PEERS ? Folder.peer(subscriber.name()) : Folder.HUB;
        this.prefetch = subscriber.limits().prefetchOr(IpcTransport.PREFETCH);
    }

    /** Returns when it has joined, or could not the first time. On any thread. */
    @Override
    public void start() throws InterruptedException {
        boolean unused = reactor.execute(this::connect);
        var unusedAnswer = begun.await(config.timing().answer().toNanos(), TimeUnit.NANOSECONDS);
    }

    /** On any thread. */
    @Override
    public Optional<String> trouble() {
        return Optional.ofNullable(outage);
    }

    private void connect() {
        if (!ending) {
            hosting.hostForMember(hub);
            link = Link.connect(reactor, config, hub, this);
        }
    }

    @Override
    public void opened(Link opened) {
        opened.send(Frames.join(subscriber.name(), subscriber.domains(), subscriber.types(), prefetch));
    }

    @Override
    public void received(byte type, FrameReader frame) throws BadFrameException {
        switch (type) {
            case Frames.JOINED -> {
                joined = true;
                outage = null;
                failures.recovered();
                pauses.succeeded();
                begun.countDown();
            }
            case Frames.DELIVER -> deliver(frame);
            case Frames.PONG -> {
                long unused = frame.number8();
                if (heard != null) {
                    heard.countDown();
                }
            }
            default -> throw new BadFrameException("a frame of type " + type + " came, which no member gets");
        }
    }

    private void deliver(FrameReader frame) throws BadFrameException {
        long number = frame.number8();
        int attempt = frame.number4();
        Message message = frame.message();
        Link current = link;
        if (current != null) {
            handout.offer(message, new IpcArrival(reactor, current, number, Math.max(1, attempt)));
        }
    }

    @Override
    public void ended(Link lost, String reason) {
        link = null;
        joined = false;
        handout.forget(arrival -> ((IpcArrival) arrival).link == lost);
        if (heard != null) {
            heard.countDown();
        }
        if (!ending) {
            failures.failed(reason);
            outage = reason;
            reactor.after(pauses.failed(), this::connect);
        }
        begun.countDown();
    }

    /** Called from time to time. */
    void endIfSilent() {
        if (link != null && joined) {
            link.endIfSilent();
        }
    }

    /** The hub sends nothing more; what is settled still goes there. On any thread. */
    @Override
    public void stop() {
        boolean unused = reactor.execute(() -> {
            ending = true;
            if (link != null) {
                link.send(Frames.bare(Frames.LEAVE));
            }
        });
    }

    /** Waits until the hub has all that was said, and ends. On any thread. */
    @Override
    public void end() {
        CountDownLatch answered = new CountDownLatch(1);
        boolean running = reactor.execute(() -> {
            heard = answered;
            if (link != null && joined) {
                link.send(Frames.numbered(Frames.PING, 1));
            } else {
                answered.countDown();
            }
        });
        Duration patience = config.timing().answer();
        try {
            if (running && !answered.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                LOG.warn(
                        "A member of {} ended before the hub had all its settlements; what is missing comes again.",
                        hub);
            }
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        boolean unused = reactor.executeAndWait(
                () -> {
                    if (link != null) {
                        link.end("the subscription was closed");
                    }
                },
                patience);
    }
}
