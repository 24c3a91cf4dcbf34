package dev.posthorn.postgres;

import org.jspecify.annotations.Nullable;

/**
 * What an operator decides about dead letters, and why.
 *
 * @param reason for the record; only a plain redrive may go without
 */
public record DeadDecision(Verb verb, @Nullable String reason) {

    /** What is to be done. */
    public enum Verb {
        /** Sends it back to where it died. The inbox of a consumer still knows what was handled. */
        REDRIVE("redrive"),
        /** The same, and a consumer handles it even if its inbox says that it was handled. */
        REPROCESS("reprocess"),
        /** Gives it up for good. */
        DISCARD("discard");

        private final String word;

        Verb(String word) {
            this.word = word;
        }

        /** As in the record of what operators did. */
        public String word() {
            return word;
        }
    }

    public DeadDecision {
        if (verb != Verb.REDRIVE && (reason == null || reason.isBlank())) {
            throw new IllegalArgumentException("To " + verb.word() + " needs a reason, for the record.");
        }
    }

    public static DeadDecision redrive(@Nullable String reason) {
        return new DeadDecision(Verb.REDRIVE, reason);
    }

    public static DeadDecision reprocess(String reason) {
        return new DeadDecision(Verb.REPROCESS, reason);
    }

    public static DeadDecision discard(String reason) {
        return new DeadDecision(Verb.DISCARD, reason);
    }
}
