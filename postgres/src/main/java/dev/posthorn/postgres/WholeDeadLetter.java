package dev.posthorn.postgres;

import java.util.Map;

/**
 * Something that is dead, or was, with all that is known of it.
 *
 * @param state DEAD, REDRIVE, HANDLED or DISCARDED
 * @param details the cause taken apart
 * @param headers as they came, or as the event has them
 * @param body the beginning of it as it came, or of the event's payload
 * @param bodySize how many bytes there are in all
 * @param metadata where it came from, in the transport's own terms
 */
@SuppressWarnings("ArrayRecordComponent") // read once to be shown; never compared
public record WholeDeadLetter(
        DeadEntry entry,
        String state,
        Map<String, String> details,
        Map<String, String> headers,
        byte[] body,
        long bodySize,
        Map<String, String> metadata) {}
