package dev.posthorn.server;

import dev.posthorn.postgres.DeadDecision;
import dev.posthorn.postgres.DeadFilter;
import dev.posthorn.postgres.DeadRun;
import dev.posthorn.postgres.DeadRun.Answer;
import dev.posthorn.postgres.PostgresDeadDesk;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Carries a decision about dead letters out, page by page, at its pace. Ctrl-C ends it between two pages, and it says how many
 * are done.
 */
final class DeadWork {

    /** So many answers are told one by one; of the others how many were alike. */
    private static final int TOLD = 100;

    private static final Duration LAST_PAGE = Duration.ofSeconds(60);

    /**
     * What became of it.
     *
     * @param told the first answers, one by one
     * @param tally how many got which answer
     */
    record Result(DeadDecision decision, boolean trial, Extent extent, List<Answer> told, Map<String, Long> tally) {}

    /** How far it came. */
    record Extent(long done, long total, boolean stopped) {

        /** What others decided about meanwhile, or what is no longer in the log. */
        long leftAlone() {
            return stopped ? 0 : Math.max(0, total - done);
        }
    }

    private final PostgresDeadDesk desk;
    private final DeadDecision decision;
    private final DeadPace pace;
    private final Output output;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final CountDownLatch told = new CountDownLatch(1);
    private final List<Answer> first = new ArrayList<>();
    private final Map<String, Long> tally = new TreeMap<>();

    DeadWork(PostgresDeadDesk desk, DeadDecision decision, DeadPace pace, Output output) {
        this.desk = desk;
        this.decision = decision;
        this.pace = pace;
        this.output = output;
    }

    int run(List<DeadFilter> filters) throws InterruptedException {
        Thread onSignal = new Thread(this::stopAndWait, "posthorn-stop");
        Runtime.getRuntime().addShutdownHook(onSignal);
        try {
            Extent extent = decideAll(filters);
            Result result = new Result(decision, pace.isTrial(), extent, first, tally);
            output.print(() -> DeadFormat.result(result), () -> DeadFormat.text(result));
            return extent.stopped() ? 1 : 0;
        } finally {
            told.countDown();
            removeQuietly(onSignal);
        }
    }

    /** Also what a test does in place of Ctrl-C. */
    void stop() {
        stop.countDown();
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

    private Extent decideAll(List<DeadFilter> filters) throws InterruptedException {
        Instant began = Instant.now();
        List<DeadRun> runs = new ArrayList<>();
        for (DeadFilter filter : filters) {
            runs.add(
                    pace.isTrial()
                            ? desk.tryOut(filter, decision, pace.page())
                            : desk.decide(filter, decision, pace.page()));
        }
        long total = runs.stream().mapToLong(DeadRun::total).sum();
        long done = 0;
        for (DeadRun run : runs) {
            while (!run.isOver()) {
                if (stop.getCount() == 0) {
                    return new Extent(done, total, true);
                }
                List<Answer> answers = run.runOnce();
                done += answers.size();
                answers.forEach(this::note);
                if (done < total && !answers.isEmpty()) {
                    output.progress(done, total);
                    Duration pause = pace.pause(done, Duration.between(began, Instant.now()));
                    boolean unused = stop.await(pause.toMillis(), TimeUnit.MILLISECONDS);
                }
            }
        }
        return new Extent(done, total, false);
    }

    private void note(Answer answer) {
        tally.merge(answer.text(), 1L, Long::sum);
        if (first.size() < TOLD) {
            first.add(answer);
        }
    }
}
