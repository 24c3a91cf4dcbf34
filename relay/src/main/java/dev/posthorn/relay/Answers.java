package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import java.util.ArrayList;
import java.util.List;

/** Where transports drop their answers; the relay takes them all at once. Thread-safe and short of locks. */
final class Answers {

    record Answer(Sent sent, Outcome outcome) {}

    private final Runnable wakeUp;
    private List<Answer> waiting = new ArrayList<>();

    Answers(Runnable wakeUp) {
        this.wakeUp = wakeUp;
    }

    void add(Sent sent, Outcome outcome) {
        boolean first;
        synchronized (this) {
            first = waiting.isEmpty();
            waiting.add(new Answer(sent, outcome));
        }
        if (first) {
            wakeUp.run();
        }
    }

    synchronized List<Answer> take() {
        if (waiting.isEmpty()) {
            return List.of();
        }
        List<Answer> taken = waiting;
        waiting = new ArrayList<>(taken.size());
        return taken;
    }
}
