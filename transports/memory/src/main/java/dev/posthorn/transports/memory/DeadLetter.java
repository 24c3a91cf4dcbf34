package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;

/** An event that a subscriber rejected. */
public record DeadLetter(String subscriber, Event event, String reason) {}
