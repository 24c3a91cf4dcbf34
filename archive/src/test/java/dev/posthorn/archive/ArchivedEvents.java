package dev.posthorn.archive;

import dev.posthorn.event.Event;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;

/** Events as a test archives them. */
final class ArchivedEvents {

    static final Instant FIRST = Instant.parse("2026-03-01T10:00:00.123456Z");

    private ArchivedEvents() {}

    static ArchivedEvent event(long seq) {
        return event(seq, Event.of("shop", "Placed").build());
    }

    static ArchivedEvent event(long seq, Event event) {
        return new ArchivedEvent(
                new ArchivedEvent.Place(seq, Long.toString(700 + seq), (int) (seq % 16), FIRST.plusSeconds(seq)),
                event,
                null,
                Map.of());
    }

    /** The same one each time. */
    static ArchivedEvent fixed(long seq) {
        return event(
                seq,
                Event.of("shop", "Placed")
                        .id(new UUID(0x7000L, 0x8000_0000_0000_0000L | seq))
                        .occurredAt(FIRST)
                        .build());
    }

    static List<ArchivedEvent> events(int count) {
        return IntStream.rangeClosed(1, count).mapToObj(ArchivedEvents::event).toList();
    }

    static Volume write(Archive archive, List<ArchivedEvent> events) {
        try (Draft draft = archive.begin()) {
            events.forEach(draft::add);
            return draft.finish();
        }
    }
}
