package dev.posthorn.server;

import dev.posthorn.console.DeadFormat;
import dev.posthorn.console.DeadWork;
import dev.posthorn.console.DeadWork.Result;
import dev.posthorn.postgres.DeadDecision;
import dev.posthorn.postgres.DeadFilter;
import dev.posthorn.postgres.PostgresDeadDesk;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A decision about dead letters at a terminal: Ctrl-C ends it between two pages, and it says how many are done. */
final class DeadSession {

    private static final Duration LAST_PAGE = Duration.ofSeconds(60);

    private final DeadWork work;
    private final Output output;
    private final CountDownLatch told = new CountDownLatch(1);

    DeadSession(PostgresDeadDesk desk, DeadDecision decision, DeadPace pace, Output output) {
        this.output = output;
        this.work = new DeadWork(desk, decision, pace.pace(), (done, total, tally) -> output.progress(done, total));
    }

    int run(List<DeadFilter> filters) throws InterruptedException {
        Thread onSignal = new Thread(this::stopAndWait, "posthorn-stop");
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            Result result = work.run(filters);
            output.print(DeadFormat.result(result), DeadText::result);
            return result.extent().stopped() ? 1 : 0;
        } finally {
            told.countDown();
            removeQuietly(onSignal);
        }
    }

    /** Also what a test does in place of Ctrl-C. */
    void stop() {
        work.stop();
    }

    private void stopAndWait() {
        stop();
        try {
            boolean unused = told.await(LAST_PAGE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    private static void removeQuietly(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException endsAlready) {
            // then it was the hook that ended this
        }
    }
}
