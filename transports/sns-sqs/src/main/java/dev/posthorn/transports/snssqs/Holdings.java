package dev.posthorn.transports.snssqs;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** All messages that SQS hides from others because this member has them, by id. Thread-safe. */
final class Holdings {

    private final Map<String, SqsArrival> arrivals = new ConcurrentHashMap<>();

    /** False if it is here already: then the receipt of that one is renewed. */
    boolean add(SqsArrival arrival, long heldUntil) {
        SqsArrival here = arrivals.putIfAbsent(arrival.id(), arrival);
        if (here != null) {
            here.receivedAgain(arrival.receipt(), heldUntil);
        }
        return here == null;
    }

    void remove(SqsArrival arrival) {
        arrivals.remove(arrival.id(), arrival);
    }

    boolean contains(SqsArrival arrival) {
        return arrivals.get(arrival.id()) == arrival;
    }

    /** Whether nobody else can have it. */
    boolean holds(String messageId) {
        SqsArrival arrival = arrivals.get(messageId);
        return arrival != null && arrival.isHeld();
    }

    /** What follows this one in its group and is not settled, in the order of the queue. */
    List<SqsArrival> behind(SqsArrival first) {
        return all().stream()
                .filter(other -> other.group().equals(first.group())
                        && other.sequence().compareTo(first.sequence()) > 0
                        && !other.isSettled())
                .toList();
    }

    /** In the order of the queue. */
    List<SqsArrival> all() {
        return arrivals.values().stream()
                .sorted(Comparator.comparing(SqsArrival::sequence))
                .toList();
    }
}
