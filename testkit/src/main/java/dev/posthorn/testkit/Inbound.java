package dev.posthorn.testkit;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Arrival;
import dev.posthorn.transport.Delivery;
import dev.posthorn.transport.RawDelivery;
import dev.posthorn.transport.Receiver;
import dev.posthorn.transport.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/** A receiver that writes down what came and answers as the test decides; otherwise all is done. Thread-safe. */
public final class Inbound implements Receiver {

    /** One handing over. */
    public record Got(Event event, int attempt, long nanoTime, Map<String, String> metadata) {

        /** How often the broker says that it was delivered; 0 if it does not count. */
        public int deliveries() {
            return Integer.parseInt(metadata.getOrDefault(Arrival.DELIVERIES, "0"));
        }
    }

    private final Function<Delivery, Verdict> answer;
    private final List<Got> all = new ArrayList<>();
    private final List<byte[]> undecodable = new CopyOnWriteArrayList<>();

    public Inbound() {
        this(delivery -> Verdict.done());
    }

    /** The answer may wait or throw; what came is written down before it is asked. */
    public Inbound(Function<Delivery, Verdict> answer) {
        this.answer = answer;
    }

    @Override
    public void receive(Delivery delivery) {
        synchronized (all) {
            all.add(new Got(delivery.event(), delivery.attempt(), System.nanoTime(), delivery.metadata()));
        }
        delivery.settle(answer.apply(delivery));
    }

    @Override
    public void undecodable(RawDelivery raw) {
        undecodable.add(raw.message().body());
        Receiver.super.undecodable(raw);
    }

    /** Every handing over, in order. */
    public List<Got> all() {
        synchronized (all) {
            return List.copyOf(all);
        }
    }

    public int count() {
        synchronized (all) {
            return all.size();
        }
    }

    public List<Event> events() {
        return all().stream().map(Got::event).toList();
    }

    /** Without repeats, in the order of first arrival. */
    public List<Event> first() {
        return List.copyOf(new LinkedHashSet<>(events()));
    }

    public List<byte[]> undecodable() {
        return undecodable;
    }

    /** Ids of first arrivals, by key. */
    public Map<String, List<UUID>> byKey() {
        return byKey(first());
    }

    /** Ids by key, in the order given. */
    public static Map<String, List<UUID>> byKey(List<Event> events) {
        Map<String, List<UUID>> byKey = new LinkedHashMap<>();
        for (Event event : events) {
            byKey.computeIfAbsent(event.key().orElse(""), any -> new ArrayList<>())
                    .add(event.id());
        }
        return byKey;
    }

    /** Waits until so many were handed over, repeats included. */
    public void await(int wanted) {
        Await.until(() -> wanted + " deliveries, so far " + count(), () -> count() >= wanted);
    }
}
