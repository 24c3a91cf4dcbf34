package dev.posthorn.server;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongConsumer;

/** Tells of long work with a line now and then. */
final class Progress implements LongConsumer {

    private static final long EVENTS = 100_000;

    private final String done;
    private final PrintWriter err;
    private long next = EVENTS;

    Progress(String done, PrintWriter err) {
        this.done = done;
        this.err = err;
    }

    @Override
    public void accept(long events) {
        if (events >= next) {
            err.printf(Locale.ROOT, "%s %,d events…%n", done, events);
            err.flush();
            next = events + EVENTS;
        }
    }
}
