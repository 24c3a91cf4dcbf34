package dev.posthorn.console;

import dev.posthorn.postgres.DeadDecision;
import dev.posthorn.postgres.DeadFilter;
import dev.posthorn.postgres.DeadRun;
import dev.posthorn.postgres.DeadRun.Answer;
import dev.posthorn.postgres.PostgresDeadDesk;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Carries a decision about dead letters out, page by page, at its pace. Whoever stops it ends it between two pages; the others
 * are dead as before. For one thread; {@link #stop} is for any.
 */
public final class DeadWork {

    /** So many answers are told one by one; of the others how many were alike. */
    private static final int TOLD = 100;

    /** Gets to know how far it is. */
    @FunctionalInterface
    public interface Progress {
        void reached(long done, long total, Map<String, Long> tally);
    }

    /**
     * How fast, or only as a trial.
     *
     * @param rate letters in a second, 0 for as fast as it goes
     */
    public record Pace(int rate, boolean trial) {

        private static final int PAGE = 500;

        int page() {
            return rate == 0 ? PAGE : Math.min(rate, PAGE);
        }

        /** How long to wait after so many were done in this time. */
        Duration pause(long done, Duration since) {
            if (rate == 0 || trial) {
                return Duration.ZERO;
            }
            Duration due = Duration.ofMillis(done * 1000 / rate);
            return due.compareTo(since) > 0 ? due.minus(since) : Duration.ZERO;
        }
    }

    /**
     * What became of it.
     *
     * @param told the first answers, one by one
     * @param tally how many got which answer
     */
    public record Result(
            DeadDecision decision, boolean trial, Extent extent, List<Answer> told, Map<String, Long> tally) {}

    /** How far it came. */
    public record Extent(long done, long total, boolean stopped) {

        /** What others decided about meanwhile, or what is no longer in the log. */
        long leftAlone() {
            return stopped ? 0 : Math.max(0, total - done);
        }
    }

    private final PostgresDeadDesk desk;
    private final DeadDecision decision;
    private final Pace pace;
    private final Progress progress;
    private final CountDownLatch stop = new CountDownLatch(1);
    private final List<Answer> first = new ArrayList<>();
    private final Map<String, Long> tally = new TreeMap<>();

    public DeadWork(PostgresDeadDesk desk, DeadDecision decision, Pace pace, Progress progress) {
        this.desk = desk;
        this.decision = decision;
        this.pace = pace;
        this.progress = progress;
    }

    /** Ends {@link #run} after the page it is at. */
    public void stop() {
        stop.countDown();
    }

    /** Decides about all that these filters find, one filter after the other. */
    public Result run(List<DeadFilter> filters) throws InterruptedException {
        return new Result(decision, pace.trial(), decideAll(filters), first, tally);
    }

    private Extent decideAll(List<DeadFilter> filters) throws InterruptedException {
        long began = System.nanoTime();
        List<DeadRun> runs = new ArrayList<>();
        for (DeadFilter filter : filters) {
            runs.add(
                    pace.trial()
                            ? desk.tryOut(filter, decision, pace.page())
                            : desk.decide(filter, decision, pace.page()));
        }
        long total = runs.stream().mapToLong(DeadRun::total).sum();
        if (total > 1 && !pace.trial()) {
            long entry = desk.beginBulk(decision, filters, total);
            runs.forEach(run -> run.recordIn(entry));
        }
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
                    progress.reached(done, total, Map.copyOf(tally));
                    Duration pause = pace.pause(done, Duration.ofNanos(System.nanoTime() - began));
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
