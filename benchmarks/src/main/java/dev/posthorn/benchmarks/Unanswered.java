package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;

/** Published by itself: nothing follows from its outcome, which must be that it is accepted. */
record Unanswered(Event event) implements Publication {

    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public void settle(Outcome outcome) {
        if (!(outcome instanceof Outcome.Accepted)) {
            throw new IllegalStateException("It was not accepted: " + outcome);
        }
    }
}
