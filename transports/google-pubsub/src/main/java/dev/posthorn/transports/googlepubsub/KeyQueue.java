package dev.posthorn.transports.googlepubsub;

import dev.posthorn.transport.Outcome;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The events of one ordering key on their way to one topic: one request at a time, because requests may overtake each other.
 *
 * <p>Once one is not accepted, what waits behind it is settled too. That is all there is to resuming a key: nothing stays
 * paused, and what comes afterwards is sent. Guarded by its publisher's lock.
 */
final class KeyQueue {

    private static final int MOST_MESSAGES = 1_000;
    private static final int MOST_BYTES = 9 << 20;

    private final String domain;
    private final String key;
    private final Deque<Parcel> waiting = new ArrayDeque<>();
    private boolean busy;
    private int singles;

    KeyQueue(String domain, String key) {
        this.domain = domain;
        this.key = key;
    }

    /** A topic and a key. */
    record Id(String domain, String key) {}

    Id id() {
        return new Id(domain, key);
    }

    String domain() {
        return domain;
    }

    void add(Parcel parcel) {
        waiting.addLast(parcel);
    }

    boolean isIdle() {
        return !busy && waiting.isEmpty();
    }

    /** What goes out now: nothing while something is under way, and nothing from the first refused one on. */
    List<Parcel> take() {
        List<Parcel> request = new ArrayList<>();
        if (busy) {
            return request;
        }
        int most = singles > 0 ? 1 : MOST_MESSAGES;
        singles = Math.max(0, singles - 1);
        long bytes = 0;
        for (Parcel next = waiting.peekFirst(); next != null; next = waiting.peekFirst()) {
            bytes += next.size();
            if (next.refusal() != null || request.size() >= most || (!request.isEmpty() && bytes > MOST_BYTES)) {
                break;
            }
            request.add(waiting.removeFirst());
        }
        busy = !request.isEmpty();
        return request;
    }

    /** The request was answered. */
    void answered() {
        busy = false;
    }

    /** One of these was refused, and nobody knows which: they are sent one by one. */
    void again(List<Parcel> request) {
        for (int i = request.size() - 1; i >= 0; i--) {
            waiting.addFirst(request.get(i));
        }
        singles = request.size();
    }

    /** The first one, if it can never be sent. */
    boolean isRefused() {
        Parcel first = waiting.peekFirst();
        return !busy && first != null && first.refusal() != null;
    }

    List<Parcel> takeAll() {
        List<Parcel> all = List.copyOf(waiting);
        waiting.clear();
        singles = 0;
        return all;
    }

    /** What becomes of those behind one with this outcome; none of them was sent. */
    static Outcome behind(Outcome outcome) {
        String why = "an event of its key before it did not go through";
        return outcome instanceof Outcome.Refused || outcome instanceof Outcome.Failed
                ? Outcome.failed(why)
                : Outcome.unavailable(why);
    }
}
