package dev.posthorn.postgres;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import javax.sql.DataSource;

/** Events of consumers that no handler wanted, and those that wait to be taken by another member. Thread-safe. */
final class ConsumerInspection {

    private static final int MOST_TYPES = 1_000;

    private final Looks looks;

    ConsumerInspection(DataSource database, Schema schema) {
        this.looks = new Looks(database, schema);
    }

    /** A type that no handler of a consumer wanted, and how often it came. */
    record UnhandledType(String consumer, String type, long events, Instant firstAt, Instant lastAt) {}

    /** The events of a consumer that were handed over and wait, and how long the oldest has waited. */
    record WaitingHandovers(String consumer, long events, Duration oldest) {}

    /** The most frequent first, a thousand at most. */
    List<UnhandledType> unhandled() {
        return looks.query(
                "inspect_unhandled",
                bind -> bind.value(MOST_TYPES),
                row -> new UnhandledType(
                        row.getString("consumer"),
                        row.getString("type"),
                        row.getLong("events"),
                        Looks.time(row, "first_at"),
                        Looks.time(row, "last_at")));
    }

    List<WaitingHandovers> handovers() {
        return looks.query(
                "inspect_handovers",
                bind -> {},
                row -> new WaitingHandovers(row.getString("consumer"), row.getLong("waiting"), Duration.ofMillis((long)
                        (1000 * row.getDouble("seconds")))));
    }
}
