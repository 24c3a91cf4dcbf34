package dev.posthorn.registry;

import dev.posthorn.event.Event;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** The payload is there. */
final class PresentContract implements Contract {

    /** No null with spaces around it is longer, of those that anybody writes. */
    private static final int LONGEST_NULL = 32;

    @Override
    public String describe() {
        return "any";
    }

    /** To look is as cheap as to trust. */
    @Override
    public Optional<String> identity() {
        return Optional.empty();
    }

    @Override
    public List<Violation> check(Event event) {
        return absent(event).map(List::of).orElse(List.of());
    }

    /** What is wrong if there is no payload. */
    static Optional<Violation> absent(Event event) {
        int size = event.payloadSize();
        if (size == 0) {
            return Optional.of(new Violation(Rule.MISSING_PAYLOAD, "payload", "has no bytes"));
        }
        if (size <= LONGEST_NULL && event.contentType().contains("json") && isNull(event.payload())) {
            return Optional.of(new Violation(Rule.NULL_PAYLOAD, "payload", "is the JSON null"));
        }
        return Optional.empty();
    }

    private static boolean isNull(ByteBuffer payload) {
        int matched = 0;
        while (payload.hasRemaining()) {
            byte next = payload.get();
            if (matched < 4 && next == "null".charAt(matched)) {
                matched++;
            } else if ((matched > 0 && matched < 4) || !Character.isWhitespace(next)) {
                return false;
            }
        }
        return matched == 4;
    }
}
