package dev.posthorn.transports.kafka;

import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/**
 * One topic as a {@link RecordSender} sees it: whether records can go there now.
 *
 * <p>Used by the sender's thread, except for {@link #doubt}.
 */
final class Destination {

    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);

    /** Where it stands. */
    private enum State {
        UNKNOWN,
        IN_QUESTION,
        READY
    }

    private final String topic;
    private final boolean deadLetters;
    private final Deque<Parcel> waiting = new ArrayDeque<>();
    private State state = State.UNKNOWN;
    private volatile boolean doubted;
    private boolean asked;
    private Duration pause = FIRST_PAUSE;
    private long notBefore = System.nanoTime();
    private String reason = "";

    Destination(String topic, boolean deadLetters) {
        this.topic = topic;
        this.deadLetters = deadLetters;
    }

    String topic() {
        return topic;
    }

    boolean isForDeadLetters() {
        return deadLetters;
    }

    /** Something went wrong on the way there; it is looked at again before the next record. From any thread. */
    void doubt() {
        doubted = true;
    }

    /** Whether it was looked for before, so that what others know of it is no answer. */
    boolean wasAsked() {
        return asked;
    }

    boolean isReady() {
        if (state == State.READY && doubted) {
            state = State.UNKNOWN;
            notBefore = System.nanoTime();
        }
        return state == State.READY;
    }

    /** Keeps it until it is known whether it can go; true if somebody must find out now. */
    boolean await(Parcel parcel) {
        if (state == State.UNKNOWN && notBefore - System.nanoTime() > 0) {
            parcel.settle(Outcome.unavailable(reason));
            return false;
        }
        waiting.add(parcel);
        boolean ask = state == State.UNKNOWN;
        if (ask) {
            state = State.IN_QUESTION;
            doubted = false;
        }
        return ask;
    }

    /** It is there; these have waited for it, in order. */
    List<Parcel> found() {
        state = State.READY;
        asked = true;
        pause = FIRST_PAUSE;
        List<Parcel> freed = List.copyOf(waiting);
        waiting.clear();
        return freed;
    }

    /** It can not be used; nobody asks again before a pause that grows. */
    void failed(String why) {
        state = State.UNKNOWN;
        asked = true;
        reason = why;
        notBefore = System.nanoTime() + pause.toNanos();
        pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
        giveUp(why);
    }

    void giveUp(String why) {
        waiting.forEach(parcel -> parcel.settle(Outcome.unavailable(why)));
        waiting.clear();
    }
}
