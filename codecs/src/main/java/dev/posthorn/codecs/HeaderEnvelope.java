package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.Map;
import java.util.TreeMap;

/** What envelopes have in common that leave the payload alone and add headers of their own. */
abstract class HeaderEnvelope implements Envelope {

    private static final String OWN = "posthorn-was-";
    private static final int MOST_HEADERS = 100;
    private static final int MOST_CHARACTERS = 32_768;

    /** What the envelope adds. */
    abstract Map<String, String> attributesOf(Event event);

    /** Whether a header of this name is the envelope's. */
    abstract boolean isAttribute(String name);

    @Override
    public final Event seal(Event event) {
        Map<String, String> added = new TreeMap<>(attributesOf(event));
        added.put(MARK, Mark.text(name(), event));
        Event sealed = event;
        for (Map.Entry<String, String> own : event.headers().entrySet()) {
            if (isAttribute(own.getKey()) || own.getKey().startsWith(OWN)) {
                sealed = sealed.withoutHeader(own.getKey()).withHeader(OWN + own.getKey(), own.getValue());
            }
        }
        for (Map.Entry<String, String> attribute : added.entrySet()) {
            sealed = sealed.withHeader(attribute.getKey(), attribute.getValue());
        }
        int characters = sealed.headers().entrySet().stream()
                .mapToInt(one -> one.getKey().length() + one.getValue().length())
                .sum();
        if (sealed.headers().size() > MOST_HEADERS || characters > MOST_CHARACTERS) {
            throw new PosthornException("With the attributes of the envelope " + name() + " the event has "
                    + sealed.headers().size() + " headers of " + characters + " characters, and there may be "
                    + MOST_HEADERS + " of " + MOST_CHARACTERS + ". Give it fewer, or choose another envelope for the"
                    + " route.");
        }
        return sealed;
    }

    @Override
    public final boolean holds(Event event) {
        return false;
    }

    @Override
    public final Event open(Event sealed) {
        Event opened = sealed.withoutHeader(MARK);
        for (String name : sealed.headers().keySet()) {
            if (isAttribute(name)) {
                opened = opened.withoutHeader(name);
            }
        }
        for (Map.Entry<String, String> own : sealed.headers().entrySet()) {
            if (own.getKey().startsWith(OWN)) {
                opened = opened.withoutHeader(own.getKey())
                        .withHeader(own.getKey().substring(OWN.length()), own.getValue());
            }
        }
        return opened;
    }
}
