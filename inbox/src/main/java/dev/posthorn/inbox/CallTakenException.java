package dev.posthorn.inbox;

import dev.posthorn.transport.NotYetException;
import java.time.Duration;

/** Another process may be making the same call to the outside. The event comes again when it can not be any more. */
public final class CallTakenException extends NotYetException {

    private static final long serialVersionUID = 1L;

    CallTakenException(CallStore.CallId call, Duration left) {
        super(
                "Another one may be calling " + call.name() + " for event " + call.event() + ", for another "
                        + left.toMillis() + " ms",
                left);
    }
}
