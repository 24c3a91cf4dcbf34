package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import java.util.Optional;

/**
 * What the header {@link Envelope#MARK} says.
 *
 * @param name of the envelope
 * @param contentType of what is inside
 */
record Mark(String name, String contentType) {

    static Optional<Mark> of(Event event) {
        String text = event.headers().get(Envelope.MARK);
        if (text == null) {
            return Optional.empty();
        }
        int space = text.indexOf(' ');
        return Optional.of(
                space < 0
                        ? new Mark(text, "application/json")
                        : new Mark(text.substring(0, space), text.substring(space + 1)));
    }

    static String text(String name, Event event) {
        return name + " " + event.contentType();
    }
}
