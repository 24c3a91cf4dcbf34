package dev.posthorn.transports.ipc;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a group has of one key, in order. While a member has any of it, the rest goes to that member too, so two members never
 * have the same key. A letter without a key is a line of its own.
 */
final class Line {

    final Optional<String> key;
    private final Deque<Parcel> waiting = new ArrayDeque<>(2);
    /** Who has the first ones of it, and how many. */
    @Nullable
    Seat seat;

    int out;

    Line(Optional<String> key) {
        this.key = key;
    }

    boolean isEmpty() {
        return waiting.isEmpty();
    }

    /** The number of the first that waits. */
    long head() {
        return waiting.element().number;
    }

    void append(Parcel parcel) {
        waiting.addLast(parcel);
    }

    Parcel take() {
        return waiting.removeFirst();
    }

    /** Puts it back among those that wait, at its own place. */
    void putBack(Parcel parcel) {
        Deque<Parcel> before = new ArrayDeque<>();
        while (!waiting.isEmpty() && waiting.element().number < parcel.number) {
            before.addLast(waiting.removeFirst());
        }
        waiting.addFirst(parcel);
        while (!before.isEmpty()) {
            waiting.addFirst(before.removeLast());
        }
    }
}
