package dev.posthorn.inboxes.redis;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Locale;

/** What Redis does in one step, each from a file of its own that says what it needs and answers. */
enum Script {
    CLAIM,
    RENEW,
    FENCE,
    MARK,
    RELEASE,
    FORGET,
    REPORT,
    LEAVE,
    PAUSE;

    private final String text;

    Script() {
        String file = name().toLowerCase(Locale.ROOT) + ".lua";
        try (InputStream stream = Script.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalStateException(file + " is missing");
            }
            text = new String(stream.readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    String text() {
        return text;
    }
}
