package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresFigures.Count;
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

    /**
     * How it stood, and how fast it went.
     *
     * @param emitted a second since the point before; empty for the first
     */
    record Point(Instant at, Standing standing, Optional<Double> emitted) {

        ObjectNode json() {
            return Json.object()
                    .put("at", at.toString())
                    .put("published_per_second", number(standing.publishedPerSecond()))
                    .put("emitted_per_second", number(emitted))
                    .put("waiting", standing.waiting().map(Count::number).orElse(null))
                    .put("lag_seconds", standing.oldest().map(History::seconds).orElse(null))
                    .put("dead", standing.allDead().map(Count::number).orElse(null))
                    .put("blocked_keys", standing.blockedKeys().orElse(null));
        }
    }

    private final Deque<Point> points = new ArrayDeque<>();

    /** Notes a look, if it is time for one. What did not see the database is a gap. */
    synchronized Optional<Point> note(Standing now) {
        Point before = points.peekLast();
        if (now.trouble().isPresent() || now.at().isEmpty()) {
            return Optional.empty();
        }
        Instant at = now.at().get();
        if (before != null && Duration.between(before.at(), at).compareTo(NEARLY) < 0) {
            return Optional.empty();
        }
        Point point = new Point(at, now, Optional.ofNullable(before).map(last -> emitted(last, at, now)));
        points.addLast(point);
        if (points.size() > MOST_POINTS) {
            points.removeFirst();
        }
        return Optional.of(point);
    }

    private static double emitted(Point before, Instant at, Standing now) {
        long events =
                now.rest().log().lastSeq() - before.standing().rest().log().lastSeq();
        double seconds = Duration.between(before.at(), at).toNanos() / 1e9;
        return Math.max(0, events) / Math.max(0.001, seconds);
    }

    synchronized Optional<Point> newest() {
        return Optional.ofNullable(points.peekLast());
    }

    synchronized ObjectNode json(Instant from) {
        List<Point> wanted = new ArrayList<>(points);
        wanted.removeIf(point -> point.at().isBefore(from));
        ObjectNode json = Json.object().put("every_seconds", EVERY.toSeconds());
        json.set("points", Json.array(wanted, Point::json));
        return json;
    }

    static double seconds(Duration duration) {
        return Math.round(duration.toNanos() / 1e6) / 1e3;
    }

    /** With one digit, or null if it is not known. */
    static @Nullable Double number(Optional<Double> value) {
        return value.map(History::rounded).orElse(null);
    }

    static double rounded(double number) {
        return Math.round(number * 10) / 10.0;
    }
}
