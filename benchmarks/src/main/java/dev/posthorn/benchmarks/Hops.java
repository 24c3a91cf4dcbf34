package dev.posthorn.benchmarks;

import dev.posthorn.benchmarks.BrokerKind.RunningBroker;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transport.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/** How long single events take from publish to a subscriber's handler, one after the other on a quiet transport. */
record Hops(Samples p50, Samples p99) {

    private static final int WARM_UP = 500;
    private static final int ROUNDS = 3;
    private static final int EACH = 300;

    static Hops measure(RunningBroker broker) {
        BlockingQueue<Long> arrivals = new ArrayBlockingQueue<>(1);
        try (Bus bus = broker.open("hops");
                Publisher publisher = bus.publisher()) {
            Subscription subscription = bus.subscribe(Subscriber.named("hops").domains("orders"), delivery -> {
                arrivals.add(System.nanoTime());
                delivery.settle(Verdict.done());
            });
            for (int i = 0; i < WARM_UP; i++) {
                hop(publisher, arrivals);
            }
            List<Double> halves = new ArrayList<>();
            List<Double> tails = new ArrayList<>();
            for (int round = 0; round < ROUNDS; round++) {
                List<Double> hops = new ArrayList<>();
                for (int i = 0; i < EACH; i++) {
                    hops.add(hop(publisher, arrivals));
                }
                hops.sort(null);
                halves.add(hops.get(EACH / 2));
                tails.add(hops.get(EACH * 99 / 100));
            }
            subscription.close();
            return new Hops(new Samples(halves), new Samples(tails));
        }
    }

    private static double hop(Publisher publisher, BlockingQueue<Long> arrivals) {
        Event event = Event.of("orders", "order.placed").key("hop").json("{}").build();
        long start = System.nanoTime();
        publisher.publish(List.of(new Unanswered(event)));
        try {
            Long end = arrivals.poll(30, TimeUnit.SECONDS);
            if (end == null) {
                throw new IllegalStateException("An event did not arrive within 30 s.");
            }
            return (end - start) / 1e6;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while an event was under way", e);
        }
    }
}
