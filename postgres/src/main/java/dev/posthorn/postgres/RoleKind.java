package dev.posthorn.postgres;

import java.util.Locale;

/** What a database role is for, and so what it may do. */
public enum RoleKind {

    /** Emits: may insert events, and reads nothing. */
    PRODUCER,

    /** Publishes: reads events, and changes none. */
    RELAY,

    /** Handles events. */
    CONSUMER,

    /** Sees how everything stands, but no payload and no headers. */
    VIEWER,

    /** Sees everything, and decides about events that failed for good. */
    OPERATOR;

    /** As the migrations call it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
