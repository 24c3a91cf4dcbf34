package dev.posthorn.inboxes.redis;

/**
 * A setting of Redis by which marks are lost, so that effects are repeated.
 *
 * @param found what it is, and what it means
 * @param advice what to do
 */
public record Risk(String found, String advice) {}
