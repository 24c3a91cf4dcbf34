package dev.posthorn.server;

import dev.posthorn.console.Secrets;
import dev.posthorn.event.PosthornException;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits for a database that is unavailable: says so at growing intervals with the number of attempts, and when it answers. */
final class DatabaseWait {

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);
    /** So many attempts are said one by one; the pauses between them grow. */
    private static final int EACH = 6;

    /** Ten minutes of attempts, at the longest pause. */
    private static final int MOST_BETWEEN = 20;

    private static final String PROTOCOL_VIOLATION = "08P01";

    private final @Nullable Duration most;
    private final PrintWriter err;
    private final long began = System.nanoTime();
    private Duration pause = FIRST_PAUSE;
    private int attempts;
    private int nextLine = 1;
    private boolean knowsHowToEnd;
    private volatile boolean waiting;

    /** Without an end if there is no longest time. */
    DatabaseWait(@Nullable Duration most, PrintWriter err) {
        this.most = most;
        this.err = err;
    }

    /** What the attempt gave, once the database was there. Other failures end it at once. */
    <T> T until(Supplier<T> attempt) throws InterruptedException {
        while (true) {
            try {
                T result = attempt.get();
                sayAnswered();
                return result;
            } catch (PosthornException failed) {
                Duration left = left();
                if (!isAbsent(failed) || left.isNegative() || left.isZero()) {
                    throw failed;
                }
                pause(String.valueOf(failed.getMessage()), left.compareTo(pause) < 0 ? left : pause);
            }
        }
    }

    private void pause(String why, Duration time) throws InterruptedException {
        attempts++;
        if (attempts >= nextLine) {
            nextLine = attempts < EACH ? attempts + 1 : Math.min(attempts * 2, attempts + MOST_BETWEEN);
            say(Secrets.mask(why) + (attempts > EACH ? " Attempt " + attempts + "." : "") + " Trying again in "
                    + DurationConverter.text(time) + ".");
        }
        endInOrder();
        waiting = true;
        Thread.sleep(time.toMillis());
        waiting = false;
        Duration twice = pause.multipliedBy(2);
        pause = twice.compareTo(LONGEST_PAUSE) < 0 ? twice : LONGEST_PAUSE;
    }

    private void sayAnswered() {
        if (attempts > 0) {
            say("The database answers after " + attempts + " failed attempts.");
            attempts = 0;
            nextLine = 1;
            pause = FIRST_PAUSE;
        }
    }

    private void say(String sentence) {
        err.println("posthorn: " + sentence);
        err.flush();
    }

    /** Nothing is under way, so a signal that comes meanwhile ends the process with 0. */
    private void endInOrder() {
        if (!knowsHowToEnd) {
            knowsHowToEnd = true;
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(
                            () -> {
                                if (waiting) {
                                    Runtime.getRuntime().halt(0);
                                }
                            },
                            "posthorn-shutdown-waiting"));
        }
    }

    private Duration left() {
        return most == null
                ? LONGEST_PAUSE
                : Duration.ofMillis(most.minusNanos(System.nanoTime() - began).toMillis());
    }

    /** No connection, or a server that is starting, stopping or full; not one that refuses user, password or database. */
    static boolean isAbsent(Throwable failed) {
        for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLTransientConnectionException && cause.getCause() == null) {
                return true; // a pool that got no connection in time; it has no state then
            }
            if (cause instanceof SQLException sql) {
                String state = String.valueOf(sql.getSQLState());
                if ((state.startsWith("08") && !state.equals(PROTOCOL_VIOLATION))
                        || state.startsWith("57P")
                        || state.startsWith("53")) {
                    return true;
                }
            }
        }
        return false;
    }
}
