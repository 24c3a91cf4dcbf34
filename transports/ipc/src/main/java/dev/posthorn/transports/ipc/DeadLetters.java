package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.transport.Message;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.util.Base64;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes what was rejected to a file for each domain, one JSON object a line: reason, subscriber, time, headers as they came
 * and the payload in base64. Written by the one hub that has the lock, so lines do not mix.
 */
final class DeadLetters {

    /** Where a message goes that does not say its domain. */
    private static final String UNKNOWN = "unknown";

    private final Folder folder;
    private final String hub;
    private final Clock clock;

    DeadLetters(Folder folder, String hub, Clock clock) {
        this.folder = folder;
        this.hub = hub;
        this.clock = clock;
    }

    void add(String subscriber, Parcel parcel, String reason, Map<String, String> about) throws IOException {
        Letter letter = parcel.letter();
        Path file = folder.deadLetters(hub, letter.domain().isEmpty() ? UNKNOWN : letter.domain());
        ByteBuffer line = ByteBuffer.wrap((line(subscriber, parcel, reason, about) + "\n").getBytes(UTF_8));
        try (FileChannel channel = FileChannel.open(
                file,
                Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND),
                Folder.OWNERS_FILE)) {
            long before = channel.size();
            try {
                while (line.hasRemaining()) {
                    channel.write(line);
                }
            } catch (IOException half) {
                channel.truncate(before);
                throw half;
            }
        }
    }

    private String line(String subscriber, Parcel parcel, String reason, Map<String, String> about) throws IOException {
        Message message;
        try {
            message = new FrameReader(ByteBuffer.wrap(parcel.letter().bytes())).message();
        } catch (BadFrameException impossible) {
            throw new IOException("a letter that was taken apart before can not be", impossible);
        }
        return "{\"reason\":" + quoted(reason) + ",\"subscriber\":" + quoted(subscriber) + ",\"deliveries\":"
                + parcel.deliveries + ",\"at\":" + quoted(clock.instant().toString()) + ",\"headers\":"
                + object(message.headers()) + ",\"about\":" + object(about) + ",\"payload\":"
                + quoted(Base64.getEncoder().encodeToString(message.body())) + "}";
    }

    private static String object(Map<String, String> fields) {
        return fields.entrySet().stream()
                .map(field -> quoted(field.getKey()) + ":" + quoted(field.getValue()))
                .collect(Collectors.joining(",", "{", "}"));
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                quoted.append('\\').append(c);
            } else if (c < ' ' || Character.isSurrogate(c)) {
                quoted.append(String.format("\\u%04x", (int) c));
            } else {
                quoted.append(c);
            }
        }
        return quoted.append('"').toString();
    }
}
