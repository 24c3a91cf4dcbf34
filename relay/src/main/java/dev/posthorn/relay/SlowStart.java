package dev.posthorn.relay;

/**
 * Lets a few publications through after an outage, and one more for each that is accepted: their number doubles with every round
 * of answers. A destination that has just recovered is not given everything at once. Touched only under the relay's lock.
 */
final class SlowStart {

    static final int FIRST = 4;

    private final int most;
    /** No limit of its own. */
    private boolean over = true;

    private int window;
    private int inFlight;
    private int started;

    SlowStart(int most) {
        this.most = most;
    }

    void begin() {
        over = false;
        window = FIRST;
        inFlight = 0;
        started++;
    }

    int room() {
        return over ? Integer.MAX_VALUE : Math.max(0, window - inFlight);
    }

    void sent(Sent sent) {
        if (!over) {
            sent.start = started;
            inFlight++;
        }
    }

    void landed(Sent sent) {
        if (isCounted(sent)) {
            inFlight--;
        }
    }

    void accepted(Sent sent) {
        if (isCounted(sent)) {
            window++;
            over = window >= most;
        }
    }

    /** Those of before the outage are not. */
    private boolean isCounted(Sent sent) {
        return !over && sent.start == started;
    }
}
