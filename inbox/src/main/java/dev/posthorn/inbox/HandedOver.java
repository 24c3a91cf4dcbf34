package dev.posthorn.inbox;

import dev.posthorn.transport.Message;

/**
 * An event that one member of a consumer left to another.
 *
 * @param place its place in the order of its key
 * @param key the event's key, or its ID if it has none
 * @param message the event
 * @param complete whether the member that took it has every handler that still wants it
 */
public record HandedOver(long place, String key, Message message, boolean complete) {}
