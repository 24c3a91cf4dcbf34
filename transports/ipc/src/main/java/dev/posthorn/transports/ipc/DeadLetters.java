package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.JsonObject;
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
        return new JsonObject()
                .text("reason", reason)
                .text("subscriber", subscriber)
                .number("deliveries", (long) parcel.deliveries)
                .text("at", clock.instant().toString())
                .object("headers", message.headers())
                .object("about", about)
                .text("payload", Base64.getEncoder().encodeToString(message.body()))
                .end()
                .toString();
    }
}
