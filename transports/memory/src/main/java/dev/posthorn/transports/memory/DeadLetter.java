package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import java.util.Map;

/**
 * An event that a subscriber rejected.
 *
 * @param about more that the consumer knows about it, by the names of headers
 */
public record DeadLetter(String subscriber, Event event, String reason, Map<String, String> about) {}
