package dev.posthorn.outbox;

/**
 * What a commit with a change and events did.
 *
 * @param rows how many rows the change inserted, updated or deleted; -1 if it answered with rows
 */
public record Commit(long rows, Emission emission) {}
