package dev.posthorn.demo;

/**
 * What a run leaves behind for whoever looks at it later, and what it did that nobody promises to avoid.
 *
 * @param delivered events and commands with a delivered_at in the outbox
 * @param marks in the inbox
 * @param runs of workflows
 * @param steps that were begun
 * @param crossed events that arrived after a later one of another stream
 */
record OpenpawTraces(long delivered, long marks, long runs, long steps, long crossed) {}
