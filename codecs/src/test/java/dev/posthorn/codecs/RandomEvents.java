package dev.posthorn.codecs;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Random;
import java.util.UUID;

/** Events with anything in them that an event may have, again the same for one seed. */
final class RandomEvents {

    private static final String[] TYPES = {
        "application/json", "application/vnd.acme+json", "text/plain", "application/octet-stream", "x"
    };
    private static final String[] SPACES = {"", " ", "\n", "\t \r\n"};
    private static final String[] NAMES = {
        "event_id",
        "ce_id",
        "ce_tenant",
        "/extra",
        "/envelope/x",
        "/payload",
        "/key/transferId",
        "/id",
        "posthorn-was-x",
        "posthorn-envelope-x",
        "replay",
        "x-own",
        "subsidiary-id",
        "sequence",
        "ünï ☃",
        "type",
        "created_at"
    };

    private final Random random;

    RandomEvents(long seed) {
        random = new Random(seed);
    }

    /** With a payload that is JSON. */
    Event withJson() {
        return built(event(), (space() + json(0) + space()).getBytes(StandardCharsets.UTF_8), random.nextBoolean());
    }

    /** With any payload. */
    Event withBytes() {
        byte[] bytes = new byte[random.nextInt(4) == 0 ? 0 : random.nextInt(random.nextInt(20) == 0 ? 100_000 : 300)];
        random.nextBytes(bytes);
        return built(event(), bytes, false);
    }

    private Event built(EventBuilder event, byte[] payload, boolean isPlainJson) {
        return event.payload(payload, isPlainJson ? TYPES[0] : TYPES[random.nextInt(TYPES.length)])
                .build();
    }

    private EventBuilder event() {
        EventBuilder event = Event.of(name(), name())
                .id(new UUID(random.nextLong(), random.nextLong()))
                .occurredAt(Instant.ofEpochSecond(random.nextInt(), random.nextInt(1_000_000) * 1_000L));
        if (random.nextBoolean()) {
            event.key(text());
        }
        if (random.nextBoolean()) {
            event.sequence(random.nextLong());
        }
        if (random.nextBoolean()) {
            event.aggregate(random.nextBoolean() ? "transfer" : text(), text());
        }
        if (random.nextBoolean()) {
            event.tenant(text()).correlationId(text()).causationId(text());
        }
        if (random.nextBoolean()) {
            event.traceparent("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
        }
        if (random.nextInt(4) == 0) {
            event.deliverAfter(Instant.ofEpochSecond(random.nextInt(), 1_000));
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            event.header(
                    random.nextBoolean() ? NAMES[random.nextInt(NAMES.length)] : text(),
                    random.nextBoolean() ? text() : json(3));
        }
        return event;
    }

    String name() {
        StringBuilder name = new StringBuilder(String.valueOf((char) ('a' + random.nextInt(26))));
        for (int i = random.nextInt(random.nextInt(10) == 0 ? 199 : 20); i > 0; i--) {
            name.append("abcXYZ019._:/-".charAt(random.nextInt(14)));
        }
        return name.toString();
    }

    /** Not empty; no NUL and no half of a pair. */
    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(random.nextInt(10) == 0 ? 200 : 12) + 1; i > 0; i--) {
            text.appendCodePoint(
                    switch (random.nextInt(6)) {
                        case 0 -> 0x1F600 + random.nextInt(50);
                        case 1 -> 0xA0 + random.nextInt(0x500);
                        case 2 -> 1 + random.nextInt(0x1F);
                        case 3 -> "\"\\/{}[]:,".charAt(random.nextInt(9));
                        default -> 'a' + random.nextInt(26);
                    });
        }
        return text.toString();
    }

    String space() {
        return SPACES[random.nextInt(SPACES.length)];
    }

    /** A JSON text, no deeper than five. */
    String json(int depth) {
        StringBuilder json = new StringBuilder();
        switch (random.nextInt(depth < 4 ? 8 : 5)) {
            case 0 -> json.append("null");
            case 1 -> json.append(random.nextBoolean());
            case 2 -> json.append(random.nextInt()).append(random.nextBoolean() ? ".500" : "");
            case 3 -> json.append("-0.10e+0").append(random.nextInt(9));
            case 4 -> json.append(new String(JsonText.quoted(text()), StandardCharsets.UTF_8));
            case 5 -> {
                json.append('[').append(space());
                int items = random.nextInt(4);
                for (int i = 0; i < items; i++) {
                    json.append(i > 0 ? "," : "")
                            .append(space())
                            .append(json(depth + 1))
                            .append(space());
                }
                json.append(']');
            }
            default -> {
                json.append('{').append(space());
                int fields = random.nextInt(4);
                for (int i = 0; i < fields; i++) {
                    json.append(i > 0 ? "," : "")
                            .append(space())
                            .append(new String(JsonText.quoted(text() + i), StandardCharsets.UTF_8))
                            .append(space())
                            .append(':')
                            .append(space())
                            .append(json(depth + 1))
                            .append(space());
                }
                json.append('}');
            }
        }
        return json.toString();
    }
}
