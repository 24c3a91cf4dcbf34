package dev.posthorn.inbox;

import dev.posthorn.event.Event;

/**
 * Events that only show that the way is open. A consumer marks them in its inbox and calls none of its handlers, so one can be
 * sent through a system at work, under any domain and type.
 */
public final class WireTest {

    /** The header that marks them. Whoever consumes without this module sees an event like any other. */
    public static final String HEADER = "wire-test";

    /** The handler under which the inbox has them. */
    public static final String HANDLER = "wire-test";

    private WireTest() {}

    static boolean is(Event event) {
        return event.headers().containsKey(HEADER);
    }
}
