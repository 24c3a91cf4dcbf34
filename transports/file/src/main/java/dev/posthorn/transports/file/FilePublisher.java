package dev.posthorn.transports.file;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.StoppedKeys;
import dev.posthorn.transport.Threads;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Queues publications for one thread, which writes all that is there, forces it to disk once and settles it. */
final class FilePublisher implements Publisher {

    private static final Logger log = LoggerFactory.getLogger(FilePublisher.class);

    private static final int CHUNK_BYTES = 1 << 20;
    private static final int LONGEST_RUN = 1_000;
    private static final Duration DRAIN_TIME = Duration.ofSeconds(10);
    private static final String CLOSED = "the file transport is closed";
    /** Put last into the queue, recognised by identity. */
    private static final List<Publication> END = new ArrayList<>();

    private final Path path;
    private final AppendedFile file;
    private final LineFormat format;
    private final Thread writer;
    private final BlockingQueue<List<Publication>> queue = new LinkedBlockingQueue<>();
    private final AtomicReference<List<Publication>> inHand = new AtomicReference<>(List.of());
    private boolean closed;

    FilePublisher(Path path, LineFormat format) {
        this.path = path;
        this.file = new AppendedFile(path);
        this.format = format;
        this.writer = Threads.daemon("posthorn-file-" + path.getFileName(), this::work);
    }

    void start() {
        writer.start();
    }

    boolean isDone() {
        return !writer.isAlive();
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        synchronized (queue) { // nothing may come after END
            if (!closed) {
                queue.add(List.copyOf(publications));
                return;
            }
        }
        publications.forEach(publication -> publication.settle(Outcome.unavailable(CLOSED)));
    }

    /** Writes what is queued. What the disk does not take within ten seconds is settled as unknown. */
    @Override
    public void close() {
        synchronized (queue) {
            if (!closed) {
                closed = true;
                queue.add(END);
            }
        }
        if (Thread.currentThread() != writer) {
            awaitEnd();
        }
    }

    private void awaitEnd() {
        try {
            writer.join(DRAIN_TIME.toMillis());
        } catch (InterruptedException stopWaiting) {
            Thread.currentThread().interrupt();
        }
        if (writer.isAlive()) {
            Outcome unknown = Outcome.unknown("closed while " + path + " did not answer");
            List<List<Publication>> rest = new ArrayList<>();
            queue.drainTo(rest);
            queue.add(END);
            settleInHand(unknown);
            rest.forEach(batch -> batch.forEach(publication -> publication.settle(unknown)));
        }
    }

    private void work() {
        List<List<Publication>> batches = new ArrayList<>();
        boolean ended = false;
        while (!ended) {
            batches.clear();
            try {
                batches.add(queue.take());
            } catch (InterruptedException notOurs) {
                continue;
            }
            queue.drainTo(batches);
            ended = batches.removeIf(batch -> batch == END);
            write(batches);
        }
        letGo();
    }

    private void write(List<List<Publication>> calls) {
        List<Publication> written = new ArrayList<>();
        List<Refusal> refusals = new ArrayList<>();
        for (List<Publication> call : calls) {
            sort(call, written, refusals);
        }
        if (!written.isEmpty()) {
            inHand.set(written);
            settleInHand(append(written));
        }
        refusals.forEach(refusal -> refusal.publication().settle(Outcome.refused(refusal.reason())));
    }

    /** Settled after what is before it in the call. */
    private record Refusal(Publication publication, String reason) {}

    private static void sort(List<Publication> call, List<Publication> written, List<Refusal> refusals) {
        StoppedKeys stopped = new StoppedKeys();
        for (Publication publication : call) {
            if (stopped.withhold(publication)) {
                continue;
            }
            try {
                check(publication.event());
                written.add(publication);
            } catch (PosthornException impossible) {
                stopped.stop(publication.event());
                refusals.add(new Refusal(publication, String.valueOf(impossible.getMessage())));
            }
        }
    }

    private static void check(Event event) {
        if (event.payloadSize() > FileTransport.MAX_PAYLOAD_BYTES) {
            throw new PosthornException("its payload has " + event.payloadSize() + " bytes, more than the "
                    + FileTransport.MAX_PAYLOAD_BYTES + " a line may carry");
        }
        EventMessage.requireReadable(event);
    }

    /** Lines stand in the file in the order in which they came, and whatever is lost of a write is its end. */
    @Override
    public int longestRun() {
        return LONGEST_RUN;
    }

    /** Whoever takes them out of the hand settles them: the writer, or {@link #close} when the disk hangs. */
    private void settleInHand(Outcome outcome) {
        inHand.getAndSet(List.of()).forEach(publication -> publication.settle(outcome));
    }

    private Outcome append(List<Publication> publications) {
        try {
            ByteArrayOutputStream chunk = new ByteArrayOutputStream();
            for (Publication publication : publications) {
                chunk.writeBytes(format.lineOf(publication));
                if (chunk.size() >= CHUNK_BYTES) {
                    file.append(ByteBuffer.wrap(chunk.toByteArray()));
                    chunk.reset();
                }
            }
            if (chunk.size() > 0) {
                file.append(ByteBuffer.wrap(chunk.toByteArray()));
            }
            file.force();
            return Outcome.accepted();
        } catch (Throwable failed) { // also an Error must not leave them unsettled
            letGo();
            return Outcome.unavailable(path + " can not be written: " + Outcome.reasonOf(failed));
        }
    }

    private void letGo() {
        try {
            file.close();
        } catch (IOException failed) {
            log.warn(
                    "{} could not be closed; it is opened anew for the next event: {}", path, Outcome.reasonOf(failed));
        }
    }
}
