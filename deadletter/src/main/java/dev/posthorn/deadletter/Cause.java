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
