package dev.posthorn.transports.snssqs;

/** A subscriber's queue and that of its dead letters, as calls name them. */
record QueueAddress(String queue, String deadLetters) {}
