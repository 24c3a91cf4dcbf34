package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;

/** {@code posthorn}: no envelope. What is known about an event is in headers, and the payload is untouched. */
public final class PlainEnvelope implements Envelope {

    @Override
    public String name() {
        return "posthorn";
    }

    @Override
    public Event seal(Event event) {
        return event;
    }

    @Override
    public boolean holds(Event event) {
        return false;
    }

    @Override
    public Event open(Event sealed) {
        return sealed;
    }

    @Override
    public boolean recognises(Message message) {
        return message.headers().containsKey(EventMessage.ID);
    }

    @Override
    public Event read(Message message) {
        return EventMessage.read(message);
    }
}
