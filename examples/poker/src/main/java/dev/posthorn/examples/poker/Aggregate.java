package dev.posthorn.examples.poker;

/** Which one, and how many events it has had. */
record Aggregate(String id, long version) {}
