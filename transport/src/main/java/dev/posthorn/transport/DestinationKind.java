package dev.posthorn.transport;

import java.util.Locale;

/** What a destination is at its broker. */
public enum DestinationKind {
    EXCHANGE(true),
    TOPIC(true),
    STREAM(true),
    LOG(true),
    QUEUE(false),
    SUBSCRIPTION(false),
    GROUP(false),
    /** An exchange, topic, stream or queue of dead letters. */
    DEAD_LETTERS(false);

    private final boolean carriesEvents;

    DestinationKind(boolean carriesEvents) {
        this.carriesEvents = carriesEvents;
    }

    /** Whether relays publish to it, so that somebody should subscribe. */
    public boolean carriesEvents() {
        return carriesEvents;
    }

    /** In lower case, for people and for the database. */
    public String word() {
        return this == DEAD_LETTERS ? "dead-letter destination" : name().toLowerCase(Locale.ROOT);
    }
}
