package dev.posthorn.spring;

import dev.posthorn.event.PosthornException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** Reads properties below one name; what is wrong is added to the faults, with the property's whole name. */
final class PropertyReader {

    private final String below;
    private final List<String> faults;
    private boolean fine = true;

    PropertyReader(String below, List<String> faults) {
        this.below = below;
        this.faults = faults;
    }

    /** What the reading gives, or empty with one more fault. */
    <T> Optional<T> read(String property, Supplier<T> reading) {
        try {
            return Optional.of(reading.get());
        } catch (IllegalArgumentException | PosthornException wrong) {
            refuse(property, String.valueOf(wrong.getMessage()));
            return Optional.empty();
        }
    }

    /** The value must be at least so long. */
    void atLeast(String property, Duration least, Duration value) {
        if (value.compareTo(least) < 0) {
            refuse(property, "it is " + text(value) + ", but must be at least " + text(least));
        }
    }

    /** The value must be at least so large. */
    void atLeast(String property, long least, long value) {
        if (value < least) {
            refuse(property, "it is " + value + ", but must be at least " + least);
        }
    }

    private void refuse(String property, String why) {
        fine = false;
        faults.add((property.isEmpty() ? below : below + "." + property) + ": " + why);
    }

    /** Whether nothing was wrong so far. */
    boolean isFine() {
        return fine;
    }

    private static String text(Duration time) {
        return time.toMillis() % 1_000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
