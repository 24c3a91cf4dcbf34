package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;

/** Tells one reader what changes, until the reader is gone. Reads what is in memory, so a reader costs no database. */
final class EventStream implements Answer.Source {

    private static final Duration LOOK = Duration.ofMillis(250);
    private static final Duration OVERVIEW = Duration.ofSeconds(2);
    private static final Duration HEARTBEAT = Duration.ofSeconds(10);

    private final Live live;
    private final Map<UUID, Long> toldOfJobs = new HashMap<>();
    private Instant lastPoint = Instant.EPOCH;
    private Optional<Instant> toldAt = Optional.empty();
    private boolean toldDoubt;
    private boolean begun;

    EventStream(Live live) {
        this.live = live;
    }

    @Override
    public void writeTo(OutputStream out) throws IOException {
        long nextOverview = System.nanoTime();
        long nextHeartbeat = System.nanoTime();
        while (!live.isClosed()) {
            long now = System.nanoTime();
            if (now - nextHeartbeat >= 0) {
                write(out, ": here\n\n");
                nextHeartbeat = now + HEARTBEAT.toNanos();
            }
            if (isNews() || now - nextOverview >= 0) {
                send(out, "overview", live.overview());
                nextOverview = now + OVERVIEW.toNanos();
            }
            sendPoint(out);
            sendJobs(out);
            LockSupport.parkNanos(LOOK.toNanos());
            if (Thread.currentThread().isInterrupted()) {
                return;
            }
        }
    }

    /** Whether there was another look since, or what is known has become doubtful. */
    private boolean isNews() {
        Standing standing = live.standing();
        Optional<Instant> at = standing.at();
        boolean doubted = standing.trouble().isPresent();
        boolean news = doubted != toldDoubt || !at.equals(toldAt);
        toldAt = at;
        toldDoubt = doubted;
        return news;
    }

    private void sendPoint(OutputStream out) throws IOException {
        History.Point newest = live.history().newest().orElse(null);
        if (newest != null && newest.at().isAfter(lastPoint)) {
            lastPoint = newest.at();
            send(out, "point", newest.json());
        }
    }

    private void sendJobs(OutputStream out) throws IOException {
        for (Job job : live.jobs().all()) {
            long version = job.version();
            Long told = toldOfJobs.put(job.id(), version);
            if (told == null ? job.isRunning() || begun : told != version) {
                send(out, "job", job.json());
            }
        }
        begun = true;
    }

    private static void send(OutputStream out, String event, ObjectNode data) throws IOException {
        write(out, "event: " + event + "\ndata: " + new String(BoundedJson.line(data), StandardCharsets.UTF_8) + "\n");
    }

    private static void write(OutputStream out, String text) throws IOException {
        out.write(text.getBytes(StandardCharsets.UTF_8));
        out.flush();
    }
}
