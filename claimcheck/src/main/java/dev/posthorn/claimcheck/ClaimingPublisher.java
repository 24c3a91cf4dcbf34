package dev.posthorn.claimcheck;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A publisher that keeps elsewhere what is too large and still has its bytes, as events have that were written by SQL.
 *
 * <p>Registers the reference, puts the payload and publishes the event with the reference. That happens on two threads of its
 * own, so that what is small does not wait; the events of a key stay in order. If the store or the register is not there, the
 * outcome is {@link Outcome.Unavailable}: nothing is charged to any event.
 *
 * <p>The event in the log keeps its bytes.
 */
public final class ClaimingPublisher implements Publisher {

    private static final int THREADS = 2;
    private static final Duration LAST_UPLOAD = Duration.ofSeconds(5);
    private static final String CLOSED = "this publisher is closed";
    private static final AtomicInteger NUMBER = new AtomicInteger();

    private final Publisher publisher;
    private final PayloadStore store;
    private final ClaimRegister register;
    private final long threshold;
    private final ThreadPoolExecutor uploads =
            new ThreadPoolExecutor(THREADS, THREADS, 10, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), daemons());

    private ClaimingPublisher(Publisher publisher, PayloadStore store, ClaimRegister register, long threshold) {
        this.publisher = publisher;
        this.store = store;
        this.register = register;
        this.threshold = threshold;
        uploads.allowCoreThreadTimeOut(true);
        uploads.setRejectedExecutionHandler((late, pool) -> ((Run) late).giveUp(CLOSED));
    }

    /** Also what is not over the threshold is kept elsewhere if the transport would not take it. Closes the publisher. */
    public static Publisher around(
            Publisher publisher,
            Capabilities transport,
            PayloadStore store,
            ClaimRegister register,
            ClaimCheckConfig config) {
        return new ClaimingPublisher(
                publisher, store, register, Math.min(config.threshold(), transport.maxMessageBytes()));
    }

    private static ThreadFactory daemons() {
        return work -> Threads.daemon("posthorn-claim-" + NUMBER.incrementAndGet(), work);
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        if (publications.stream().noneMatch(this::isLarge)) {
            publisher.publish(publications);
            return;
        }
        Map<Object, List<Publication>> runs = new LinkedHashMap<>();
        publications.stream().filter(this::isLarge).forEach(large -> runs.put(runOf(large), new ArrayList<>()));
        List<Publication> others = new ArrayList<>();
        for (Publication publication : publications) {
            runs.getOrDefault(runOf(publication), others).add(publication);
        }
        if (!others.isEmpty()) {
            publisher.publish(others);
        }
        runs.values().forEach(run -> uploads.execute(new Run(run)));
    }

    /** All of a key goes together, whichever of it is large: else a small one could overtake. */
    private static Object runOf(Publication publication) {
        return publication.event().key().<Object>map(key -> key).orElse(publication);
    }

    private boolean isLarge(Publication publication) {
        return publication.event().payloadSize() > threshold;
    }

    @Override
    public int longestRun() {
        return publisher.longestRun();
    }

    @Override
    public void close() {
        for (Runnable waiting : uploads.shutdownNow()) {
            ((Run) waiting).giveUp(CLOSED);
        }
        try {
            uploads.awaitTermination(LAST_UPLOAD.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        publisher.close();
    }

    /** The events of one key that came together, or one event without a key. */
    private final class Run implements Runnable {

        private final List<Publication> publications;

        Run(List<Publication> publications) {
            this.publications = publications;
        }

        @Override
        public void run() {
            List<Publication> claimed = new ArrayList<>(publications.size());
            try {
                for (Publication publication : publications) {
                    claimed.add(isLarge(publication) ? publication.carrying(claim(publication.event())) : publication);
                }
            } catch (RuntimeException failed) {
                giveUp("the payload can not be kept elsewhere: " + Outcome.reasonOf(failed));
                return;
            }
            publisher.publish(claimed);
        }

        /** Of all, the first first: what came before the one that failed has not been published either. */
        void giveUp(String why) {
            publications.forEach(publication -> publication.settle(Outcome.unavailable(why)));
        }

        private Event claim(Event event) {
            PayloadReference reference = PayloadReference.to(event);
            register.register(Claim.of(event.id(), reference)); // first, so that it is not swept
            store.put(reference.key(), event.payload());
            return reference.in(event);
        }
    }
}
