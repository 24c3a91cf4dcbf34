package dev.posthorn.deadletter;

import java.util.LinkedHashMap;
import java.util.Map;

/** Why something is a dead letter; a closed set, each with details of its own and what to do about it. */
public sealed interface Cause {

    /** The handler expected another sequence of the event's key. */
    record SequenceMismatch(long expected, long actual) implements Cause {
        @Override
        public String kind() {
            return "sequence-mismatch";
        }

        @Override
        public String reason() {
            return "sequence " + expected + " was expected, and it has " + actual;
        }

        @Override
        public Map<String, String> details() {
            return Map.of("expected", Long.toString(expected), "actual", Long.toString(actual));
        }

        @Override
        public String remedy() {
            return "Find the events in between. Redrive those that are dead in their order, or discard this one if a"
                    + " later state has replaced it.";
        }
    }

    /**
     * A command expected its aggregate at another sequence.
     *
     * @param expected by the command
     * @param actual of the aggregate
     */
    record StaleCommand(long expected, long actual) implements Cause {
        @Override
        public String kind() {
            return "sequence-mismatch";
        }

        @Override
        public String reason() {
            return "the command expects sequence " + expected + ", and the aggregate is at " + actual;
        }

        @Override
        public Map<String, String> details() {
            return Map.of("expected", Long.toString(expected), "actual", Long.toString(actual));
        }

        @Override
        public String remedy() {
            return expected > actual
                    ? "Redrive it once the aggregate has reached sequence " + expected + ", or discard it."
                    : "The aggregate has changed since the command was made. Merge by hand: send a corrected command with"
                            + " the current sequence, then discard this one.";
        }
    }

    /**
     * Handling failed each time.
     *
     * @param passing whether the failure looked like one that passes by itself, such as a time-out
     */
    record ProcessingFailed(String error, int attempts, boolean passing) implements Cause {
        @Override
        public String kind() {
            return "processing-failed";
        }

        @Override
        public String reason() {
            return error;
        }

        @Override
        public Map<String, String> details() {
            Map<String, String> details = new LinkedHashMap<>();
            details.put("error", error);
            details.put("attempts", Integer.toString(attempts));
            details.put("transient", Boolean.toString(passing));
            return details;
        }

        @Override
        public String remedy() {
            return passing
                    ? "See that what the handler needs is back, then redrive."
                    : "Mend the handler, deploy it, then redrive.";
        }
    }

    /** The handler said that it will never handle it. */
    record Rejected(String why) implements Cause {
        @Override
        public String kind() {
            return "rejected";
        }

        @Override
        public String reason() {
            return why;
        }

        @Override
        public Map<String, String> details() {
            return Map.of();
        }

        @Override
        public String remedy() {
            return "Decide whether the event or the handler is wrong: emit a corrected event and discard this one, or mend"
                    + " the handler and redrive.";
        }
    }

    /** The payload is kept elsewhere and could not be fetched. */
    record PayloadRetrievalFailed(String error) implements Cause {
        @Override
        public String kind() {
            return "payload-retrieval-failed";
        }

        @Override
        public String reason() {
            return error;
        }

        @Override
        public Map<String, String> details() {
            return Map.of("error", error);
        }

        @Override
        public String remedy() {
            return "Restore the payload where it was kept, then redrive.";
        }
    }

    /** What came in is no event. */
    record Undecodable(String error) implements Cause {
        @Override
        public String kind() {
            return "undecodable";
        }

        @Override
        public String reason() {
            return error;
        }

        @Override
        public Map<String, String> details() {
            return Map.of("error", error);
        }

        @Override
        public String remedy() {
            return "Find who publishes this. If it is an event in another form, teach the consumer to read it and redrive;"
                    + " otherwise discard it.";
        }
    }

    /** A stable word for the kind, as in the database and on the command line. */
    String kind();

    /** For people. */
    String reason();

    /** The same, taken apart. */
    Map<String, String> details();

    /** What to do about it. */
    String remedy();
}
