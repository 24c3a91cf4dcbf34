package dev.posthorn.embeddedpostgres;

/** How a server ends before it starts again. */
public enum StopMode {
    /** Connections are cut, open transactions rolled back, everything is written; the next start is clean. */
    FAST("INT"),
    /** Everything stops at once, as in a crash; the next start recovers from the write-ahead log. */
    IMMEDIATE("QUIT");

    private final String signal;

    StopMode(String signal) {
        this.signal = signal;
    }

    String signal() {
        return signal;
    }
}
