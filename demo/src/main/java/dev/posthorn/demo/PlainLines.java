package dev.posthorn.demo;

import java.io.PrintStream;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** One line a second, for pipes and logs. */
final class PlainLines implements Display {

    private static final long EVERY = TimeUnit.SECONDS.toNanos(1);

    private final PrintStream out;
    private long last = System.nanoTime();
    private String lastPhase = "";

    PlainLines(PrintStream out) {
        this.out = out;
    }

    @Override
    public void note(String line) {
        out.println(line);
        out.flush();
    }

    @Override
    public void show(Frame frame) {
        long now = System.nanoTime();
        if (now - last < EVERY && frame.phase().equals(lastPhase)) {
            return;
        }
        last = now;
        lastPhase = frame.phase();
        out.println(line(frame));
        out.flush();
    }

    private static String line(Frame frame) {
        Frame.Flow flow = frame.flow();
        String progress = frame.progress().isPresent()
                ? String.format(Locale.ROOT, " %3.0f%%", frame.progress().getAsDouble() * 100)
                : "";
        return String.format(
                Locale.ROOT,
                "%6s %-8s%s  emitted %s (%s/s)  published %s (%s/s)  backlog %s  lag p50 %s p99 %s  retries %s"
                        + "  blocked keys %d  dead %s%s",
                Numbers.clock(frame.elapsed()),
                frame.phase(),
                progress,
                Numbers.count(flow.emitted()),
                Numbers.count(Math.round(flow.emittedPerSecond())),
                Numbers.count(flow.published()),
                Numbers.count(Math.round(flow.publishedPerSecond())),
                Numbers.count(flow.backlog()),
                Numbers.millis(flow.lag().p50()),
                Numbers.millis(flow.lag().p99()),
                Numbers.count(frame.relay().totals().failedAttempts()),
                frame.relay().blockedKeys(),
                Numbers.count(frame.relay().totals().dead()),
                frame.relay().outage().map(reason -> "  outage: " + reason).orElse(""));
    }

    @Override
    public void close() {
        out.flush();
    }
}
