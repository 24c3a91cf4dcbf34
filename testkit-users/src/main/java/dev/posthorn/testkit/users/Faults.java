package dev.posthorn.testkit.users;

import dev.posthorn.inbox.EventHandler;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Which publishes and handlings shall fail, counted from when a test asks for it. Thread-safe. */
final class Faults {

    /** Counts calls, and knows which of them fail. */
    private static final class Plan {

        private final AtomicInteger calls = new AtomicInteger();
        private final Set<Integer> failing = ConcurrentHashMap.newKeySet();

        void fail(int[] numbers) {
            int before = calls.get();
            for (int number : numbers) {
                if (number < 1) {
                    throw new IllegalArgumentException("The first one is 1, but " + number + " was asked for");
                }
                failing.add(before + number);
            }
        }

        boolean next() {
            return failing.remove(calls.incrementAndGet());
        }
    }

    private final Plan publishes = new Plan();
    private final Plan handlings = new Plan();

    void failPublish(int... numbers) {
        publishes.fail(numbers);
    }

    void failHandling(int... numbers) {
        handlings.fail(numbers);
    }

    boolean nextPublishFails() {
        return publishes.next();
    }

    <T> EventHandler<T> around(EventHandler<T> handler) {
        return (event, transaction) -> {
            if (handlings.next()) {
                throw new IllegalStateException("the test had this handling fail");
            }
            return handler.handle(event, transaction);
        };
    }
}
