package dev.posthorn.transports.ipc;

/** A letter that somebody has published and not been answered yet. */
final class Posting {

    private final Caller from;
    private final long number;
    final Letter letter;
    private final Acceptance acceptance;
    final long deadline;
    private int notQueued;
    private int notHandled;
    private boolean answered;

    Posting(Caller from, long number, Letter letter, Acceptance acceptance, long deadline) {
        this.from = from;
        this.number = number;
        this.letter = letter;
        this.acceptance = acceptance;
        this.deadline = deadline;
    }

    /** So many groups want it. */
    void wantedBy(int groups) {
        notQueued = groups;
        notHandled = groups;
        if (groups == 0) {
            answer(Frames.NOBODY, "");
        }
    }

    boolean isAnswered() {
        return answered;
    }

    boolean isFrom(Caller caller) {
        return from == caller;
    }

    /** One more queue has it. */
    void queued() {
        notQueued--;
        if (notQueued == 0 && acceptance == Acceptance.QUEUED) {
            answer(Frames.ACCEPTED, "");
        }
    }

    /** One more group is done with it. */
    void handled() {
        notHandled--;
        if (notHandled == 0 && acceptance == Acceptance.HANDLED) {
            answer(Frames.ACCEPTED, "");
        }
    }

    /** Its time is over though all queues have it: it may still be handled. */
    void giveUpHandling() {
        answer(Frames.UNKNOWN, "it is queued, and was not handled by every subscriber in time");
    }

    void giveUp(String reason) {
        answer(Frames.UNAVAILABLE, reason);
    }

    private void answer(byte outcome, String reason) {
        if (!answered) {
            answered = true;
            from.answer(this, number, outcome, reason);
        }
    }
}
