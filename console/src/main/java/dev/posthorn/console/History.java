package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The last hours in memory, a point every few seconds. It begins anew with the process. Thread-safe. */
final class History {

    static final Duration EVERY = Duration.ofSeconds(5);
    static final int MOST_MINUTES = 360;
    private static final int MOST_POINTS = MOST_MINUTES * 60 / (int) EVERY.toSeconds();
    private static final Duration NEARLY = EVERY.minusMillis(500);

    /** How it stood, and how fast it went since the point before. */
    record Point(Standing standing, double published, double emitted) {

        ObjectNode json() {
            return Json.object()
                    .put("at", standing.at().toString())
                    .put("published_per_second", rounded(published))
                    .put("emitted_per_second", rounded(emitted))
                    .put("waiting", standing.waiting().number())
                    .put("lag_seconds", seconds(standing.oldest()))
                    .put("dead", standing.allDead())
                    .put("blocked_keys", standing.blockedKeys());
        }
    }

    private final Deque<Point> points = new ArrayDeque<>();
    private @Nullable Standing last;
    private long lastPublished;

    /** Notes a look, if it is time for one. What did not see the database is a gap. */
    synchronized Optional<Point> note(Standing now, long published) {
        Standing before = last;
        if (now.trouble().isPresent()
                || (before != null && Duration.between(before.at(), now.at()).compareTo(NEARLY) < 0)) {
            return Optional.empty();
        }
        Point point = before == null
                ? new Point(now, 0, 0)
                : new Point(
                        now,
                        rate(published - lastPublished, before, now),
                        rate(now.rest().lastSeq() - before.rest().lastSeq(), before, now));
        last = now;
        lastPublished = published;
        points.addLast(point);
        if (points.size() > MOST_POINTS) {
            points.removeFirst();
        }
        return Optional.of(point);
    }

    private static double rate(long difference, Standing before, Standing now) {
        double seconds = Duration.between(before.at(), now.at()).toNanos() / 1e9;
        return Math.max(0, difference) / Math.max(0.001, seconds);
    }

    synchronized Optional<Point> newest() {
        return Optional.ofNullable(points.peekLast());
    }

    synchronized ObjectNode json(Instant from) {
        List<Point> wanted = new ArrayList<>(points);
        wanted.removeIf(point -> point.standing().at().isBefore(from));
        ObjectNode json = Json.object().put("every_seconds", EVERY.toSeconds());
        json.set("points", Json.array(wanted, Point::json));
        return json;
    }

    static double seconds(Duration duration) {
        return Math.round(duration.toNanos() / 1e6) / 1e3;
    }

    static double rounded(double number) {
        return Math.round(number * 10) / 10.0;
    }
}
