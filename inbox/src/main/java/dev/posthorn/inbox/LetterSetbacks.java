package dev.posthorn.inbox;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.LongSupplier;

/**
 * Dead letters that were sent back and could neither be handled nor be dead again, because something failed that is not the
 * handler's. Each waits longer after each failure. For one thread at a time.
 */
final class LetterSetbacks {

    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private record Setback(Duration pause, long due) {}

    private final LongSupplier nanoTime;
    private final Map<UUID, Setback> byLetter = new HashMap<>();

    LetterSetbacks(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Whether it is not due yet. */
    boolean holds(UUID letter) {
        Setback setback = byLetter.get(letter);
        return setback != null && setback.due() - nanoTime.getAsLong() > 0;
    }

    /** Returns how long it waits. */
    Duration failed(UUID letter) {
        Setback before = byLetter.get(letter);
        Duration pause = before == null ? FIRST : before.pause().multipliedBy(2);
        pause = pause.compareTo(LONGEST) < 0 ? pause : LONGEST;
        byLetter.put(letter, new Setback(pause, nanoTime.getAsLong() + pause.toNanos()));
        return pause;
    }

    void settled(UUID letter) {
        byLetter.remove(letter);
    }

    /** What is not sent back any more need not be remembered. */
    void keepOnly(Set<UUID> letters) {
        byLetter.keySet().retainAll(letters);
    }

    int size() {
        return byLetter.size();
    }
}
