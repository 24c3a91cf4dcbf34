package dev.posthorn.transports.file;

import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Appends every event to a file as one line of JSON, for scripts and proofs.
 *
 * <p>An event is accepted when its line is forced to disk; what is published together is forced together. Several
 * transports, also in several processes, may append to one file. The directory must exist; the file is created.
 *
 * <p>The fields of a line, in this order: {@code published_at}, {@code relay}, {@code attempt}, {@code id}, {@code
 * domain}, {@code type}, {@code key}, {@code sequence}, {@code aggregate_type}, {@code aggregate_id}, {@code tenant},
 * {@code correlation_id}, {@code causation_id}, {@code traceparent}, {@code headers}, {@code content_type}, {@code
 * occurred_at}, {@code payload_base64}, and {@code payload} as text if it is JSON or text in valid UTF-8. What an event
 * does not have is left out.
 *
 * <p>Not guaranteed: a line that is there was accepted. After a failed write the event is published again, and a crash
 * can leave half a line, which the next writer ends with a line feed. Readers count by id and skip lines that are not
 * JSON. Thread-safe.
 */
public final class FileTransport implements Transport {

    static final int MAX_PAYLOAD_BYTES = 16 << 20;

    private static final Capabilities CAPABILITIES =
            new Capabilities(true, true, false, false, false, MAX_PAYLOAD_BYTES, Duration.ZERO);

    private final Path path;
    private final LineFormat format;
    private final List<FilePublisher> publishers = new ArrayList<>();
    private boolean closed;

    public FileTransport(Path path) {
        this(path, null);
    }

    /** Puts the relay's name into every line, to tell the writers of one file apart. */
    public FileTransport(Path path, @Nullable String relay) {
        this(path, relay, Clock.systemUTC());
    }

    FileTransport(Path path, @Nullable String relay, Clock clock) {
        this.path = path;
        this.format = new LineFormat(relay, clock);
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public Capabilities capabilities() {
        return CAPABILITIES;
    }

    /** Each has its own open file and a daemon thread named {@code posthorn-file-<file name>}. */
    @Override
    public Publisher publisher() {
        FilePublisher publisher = new FilePublisher(path, format);
        publisher.start();
        boolean late;
        synchronized (publishers) {
            publishers.removeIf(FilePublisher::isDone);
            publishers.add(publisher);
            late = closed;
        }
        if (late) {
            publisher.close();
        }
        return publisher;
    }

    @Override
    public void close() {
        List<FilePublisher> open;
        synchronized (publishers) {
            closed = true;
            open = List.copyOf(publishers);
        }
        open.forEach(FilePublisher::close);
    }
}
