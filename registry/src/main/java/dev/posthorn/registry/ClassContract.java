package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PayloadCodec;
import dev.posthorn.event.PosthornException;
import java.util.List;
import java.util.Optional;

/** The payload decodes as a class. */
record ClassContract(Class<?> type, PayloadCodec codec) implements Contract {

    @Override
    public String describe() {
        return (type.isRecord() ? "record " : "class ") + type.getName();
    }

    @Override
    public Optional<String> identity() {
        return Optional.of("class " + codec.getClass().getName() + " " + Shape.of(type));
    }

    @Override
    public List<Violation> check(Event event) {
        Optional<Violation> absent = PresentContract.absent(event);
        if (absent.isPresent()) {
            return List.of(absent.get());
        }
        try {
            event.payloadAs(type, codec);
            return List.of();
        } catch (PosthornException unfit) {
            return List.of(new Violation(
                    Rule.UNDECODABLE_PAYLOAD,
                    "payload",
                    "is no " + type.getName() + ": "
                            + String.valueOf(unfit.getMessage()).replaceFirst("\\.$", "")));
        }
    }
}
