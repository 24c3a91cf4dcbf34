package dev.posthorn.demo;

import java.time.Duration;
import java.util.Locale;

/** Numbers as people read them. */
final class Numbers {

    private Numbers() {}

    static String count(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** 2.1 ms, 834 ms, 1.9 s. */
    static String millis(double millis) {
        if (millis < 100) {
            return String.format(Locale.ROOT, "%.1f ms", millis);
        }
        return millis < 1_000
                ? String.format(Locale.ROOT, "%.0f ms", millis)
                : String.format(Locale.ROOT, "%.1f s", millis / 1_000);
    }

    /** 0:07, 12:30, 1:00:00. */
    static String clock(Duration time) {
        return time.toHours() > 0
                ? String.format(Locale.ROOT, "%d:%02d:%02d", time.toHours(), time.toMinutesPart(), time.toSecondsPart())
                : String.format(Locale.ROOT, "%d:%02d", time.toMinutes(), time.toSecondsPart());
    }
}
