package dev.posthorn.transports.postgreslog;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.StoppedKeys;

/** One event on its way into the log. Touched under the publisher's lock, except for {@link #event}. */
final class PendingEmit {

    private final Publication publication;
    private final StoppedKeys ofItsCall;
    private boolean settled;

    PendingEmit(Publication publication, StoppedKeys ofItsCall) {
        this.publication = publication;
        this.ofItsCall = ofItsCall;
    }

    Event event() {
        return publication.event();
    }

    boolean isSettled() {
        return settled;
    }

    /** Settles it if an event of its key before it, in the same call, was not accepted. */
    boolean isWithheld() {
        if (!settled && ofItsCall.withhold(publication)) {
            settled = true;
        }
        return settled;
    }

    void settle(Outcome outcome) {
        if (settled) {
            return;
        }
        settled = true;
        if (!(outcome instanceof Outcome.Accepted)) {
            ofItsCall.stop(event());
        }
        publication.settle(outcome);
    }
}
