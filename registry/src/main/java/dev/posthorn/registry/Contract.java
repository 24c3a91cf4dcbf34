package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PayloadCodec;
import java.util.List;
import java.util.Optional;

/** What a payload must be. Implementations are thread-safe and never change the payload. */
public interface Contract {

    /** Any bytes, but at least one, and not the JSON null. */
    Contract ANY = new PresentContract();

    /** Any bytes or none. */
    Contract OPTIONAL = new OptionalContract();

    /** In a few words, for lists: such as {@code any} or {@code class com.example.OrderPlaced}. */
    String describe();

    /** Every rule that the event's payload breaks. */
    List<Violation> check(Event event);

    /**
     * A text that two contracts share only if they allow the same payloads, such as a schema's own: what was checked by one
     * at emit is not checked by the other at publish. Empty: payloads are checked each time.
     */
    Optional<String> identity();

    /**
     * What a codec can decode as this record or class.
     *
     * <p>What a field may be is up to the class and the codec: a record checks in its constructor. {@code null} and no
     * bytes at all are none.
     *
     * <p>Its identity is the codec's class, the names and types of the components or fields, and those of their classes. What a
     * constructor does is no part of it.
     */
    static Contract of(Class<?> type, PayloadCodec codec) {
        return new ClassContract(type, codec);
    }
}
