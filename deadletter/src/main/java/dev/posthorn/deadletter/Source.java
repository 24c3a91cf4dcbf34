package dev.posthorn.deadletter;

/**
 * Where it died.
 *
 * @param consumer the consumer's stable name
 * @param handler which of its handlers; empty if it came no further than the consumer
 * @param kind what the consumer is, such as projector or saga; {@link #CONSUMER} if nobody said
 * @param component the process that gave up
 */
public record Source(String consumer, String handler, String kind, String component) {

    public static final String CONSUMER = "consumer";

    /** What runs commands. */
    public static final String COMMAND = "command";
}
