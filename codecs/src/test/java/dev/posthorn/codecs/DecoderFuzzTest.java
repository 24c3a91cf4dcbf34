package dev.posthorn.codecs;

import static org.assertj.core.api.Assertions.fail;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Whatever comes in, a decoder answers with an event or with a reason, and soon. */
class DecoderFuzzTest {

    private static final List<Envelope> ENVELOPES =
            Envelopes.NAMES.stream().map(name -> Envelopes.named(name, "shop")).toList();
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        "\"",
        ":",
        ",",
        "null",
        "1e999999999",
        "\\u0000",
        "\\ud800",
        "\"payload\":",
        "\"envelope\":{",
        "\"event_id\":",
        "\"data_base64\":\"",
        "\"specversion\":\"1.0\"",
        "9".repeat(400),
        "\u0000",
        "é",
        "[".repeat(2_000)
    };

    private final long seed = TestSize.seed();
    private final Random random = new Random(seed);
    private final RandomEvents events = new RandomEvents(seed);

    @Test
    void aDamagedMessageIsAnEventOrHasAReason() {
        long end = System.nanoTime() + TestSize.fuzzing().toNanos();
        for (long round = 0; System.nanoTime() < end; round++) {
            Envelope envelope = ENVELOPES.get(random.nextInt(ENVELOPES.size()));
            Message message = damaged(EventMessage.of(envelope.seal(events.withJson())));
            try {
                decode(envelope, message);
            } catch (UndecodableException expected) {
                if (String.valueOf(expected.getMessage()).isBlank()) {
                    fail("no reason, seed %d, round %d", seed, round);
                }
            } catch (RuntimeException | StackOverflowError broken) {
                fail(
                        "seed %d, round %d, envelope %s: %s".formatted(seed, round, envelope.name(), text(message)),
                        broken);
            }
        }
    }

    private void decode(Envelope envelope, Message message) {
        envelope.recognises(message);
        Event event;
        try {
            event = envelope.read(message);
        } catch (UndecodableException none) {
            event = EventMessage.read(message);
        }
        envelope.holds(event);
        envelope.open(event);
    }

    private Message damaged(Message message) {
        Map<String, String> headers = new HashMap<>(message.headers());
        List<String> names = new ArrayList<>(headers.keySet());
        for (int i = random.nextInt(4); i > 0; i--) {
            String name = names.get(random.nextInt(names.size()));
            switch (random.nextInt(3)) {
                case 0 -> headers.remove(name);
                case 1 -> headers.put(name, PIECES[random.nextInt(PIECES.length)]);
                default -> headers.put("ce_" + events.name(), events.text());
            }
        }
        byte[] body = message.body();
        for (int i = random.nextInt(4); i > 0; i--) {
            body = damaged(body);
        }
        return new Message(headers, body);
    }

    private byte[] damaged(byte[] body) {
        int at = random.nextInt(body.length + 1);
        String head = new String(body, 0, at, StandardCharsets.ISO_8859_1);
        String tail = new String(body, at, body.length - at, StandardCharsets.ISO_8859_1);
        String changed = switch (random.nextInt(4)) {
            case 0 -> head;
            case 1 -> head + PIECES[random.nextInt(PIECES.length)] + tail;
            case 2 -> head + (char) random.nextInt(256) + (tail.isEmpty() ? "" : tail.substring(1));
            default -> head + tail.substring(Math.min(tail.length(), random.nextInt(20)));
        };
        return changed.getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String text(Message message) {
        return message.headers() + " " + new String(message.body(), StandardCharsets.ISO_8859_1);
    }
}
