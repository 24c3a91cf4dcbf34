package dev.posthorn.examples.transfers;

import dev.posthorn.event.Event;
import java.util.Random;
import java.util.concurrent.ThreadLocalRandom;

/** Trace contexts in the form of W3C, {@code 00-TRACE-SPAN-01}, for services that run without a tracer. */
final class Trace {

    private static final int TRACE_ENDS = 36;

    private Trace() {}

    /** Begins a trace. */
    static String begin() {
        Random random = ThreadLocalRandom.current();
        return "00-" + hex(random) + hex(random) + "-" + hex(random) + "-01";
    }

    /** Returns a new span in the trace of the event that caused it, or begins a trace if that event has none. */
    static String after(Event cause) {
        return cause.traceparent()
                .map(parent -> parent.substring(0, TRACE_ENDS) + hex(ThreadLocalRandom.current()) + "-01")
                .orElseGet(Trace::begin);
    }

    /** Never zero, which the standard does not allow. */
    private static String hex(Random random) {
        return String.format("%016x", random.nextLong() | 1);
    }
}
