package dev.posthorn.replay;

import dev.posthorn.archive.ArchiveException;
import dev.posthorn.archive.FolderArchive;
import dev.posthorn.replay.ReplayStore.Checkpoint;
import dev.posthorn.replay.ReplayStore.Claim;
import dev.posthorn.replay.ReplayStore.PageLimit;
import dev.posthorn.replay.ReplayStore.Standing;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One replay while this process has a claim to it: page by page, a checkpoint after each. Not thread-safe. */
final class Run {

    /** The next events after a seq; empty if the claim is lost. */
    private interface Pages {
        Optional<Page> page(long after, PageLimit limit);
    }

    private static final Logger LOG = LoggerFactory.getLogger(Run.class);
    private static final Duration UNTIL_WOKEN = Duration.ofSeconds(1);
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(5);
    /** A page is what a crash repeats, so a slow replay has small ones. */
    private static final int SECONDS_A_PAGE = 2;

    private final ReplayStep.Parts parts;
    private final LongSupplier nanos;
    private final Runnable onAnswer;
    private final Claim claim;
    private final Pages pages;
    private final Pace pace;
    private final FailureLog failures;
    private final long end;
    private @Nullable Batch batch;
    /** The newest checkpoint. */
    private long saved;
    /** Everything up to here is read; and published, unless it is in the batch. */
    private long read;
    /** Where the batch ends. */
    private long reach;
    /** How many of the batch's events a checkpoint has counted. */
    private int counted;

    private long renewedAt;
    private boolean ended;

    Run(ReplayStep.Parts parts, LongSupplier nanos, Runnable onAnswer, Claim claim) {
        this.parts = parts;
        this.nanos = nanos;
        this.onAnswer = onAnswer;
        this.claim = claim;
        Replay replay = claim.replay();
        this.failures = new FailureLog(LOG, "Replay " + replay.id(), parts.ids());
        this.saved = replay.progress().position();
        this.read = saved;
        this.end = replay.progress().end();
        this.renewedAt = nanos.getAsLong();
        this.pace = new Pace(replay.request().rate(), renewedAt);
        this.pages = replay.request().source().reduce(() -> this::ofLog, this::ofArchive);
    }

    private Optional<Page> ofLog(long after, PageLimit limit) {
        return parts.store().page(claim, after, limit);
    }

    private Pages ofArchive(Source.Archived source) {
        ArchivePages archived = new ArchivePages(
                new FolderArchive(Path.of(source.folder())),
                source,
                claim.replay().request().selection());
        return (after, limit) -> Optional.of(archived.page(after, limit));
    }

    /** Whether the claim is gone, for whatever reason. */
    boolean ended() {
        return ended;
    }

    /** What it has begun; settled in its own time also after the end. */
    Optional<Batch> batch() {
        return Optional.ofNullable(batch);
    }

    /** Does what can be done now, and tells how long to wait. */
    Duration turn() {
        long now = nanos.getAsLong();
        Batch current = batch;
        if (current == null) {
            return mustRenew(now) && !checkpoint() ? Duration.ZERO : nextPage();
        }
        current.settle(now);
        if (current.isDone()) {
            return finishPage(current);
        }
        if (current.fault().isPresent() && !current.isInFlight()) {
            return checkpoint() ? fail(current.fault().get()) : Duration.ZERO;
        }
        if (mustRenew(now) && !checkpoint()) {
            return Duration.ZERO;
        }
        return current.fault().isPresent() ? UNTIL_WOKEN : publish(current);
    }

    private Duration nextPage() {
        if (read >= end) {
            return checkpoint() ? finish() : Duration.ZERO;
        }
        Optional<Page> found;
        try {
            found = pages.page(read, limit());
        } catch (ArchiveException unreadable) {
            return fail(unreadable.getMessage() + " The process that published saw it so: its folders count.");
        }
        if (found.isEmpty()) {
            end("is cancelled, or another process has it");
            return Duration.ZERO;
        }
        Page page = found.get();
        reach = page.reach();
        if (page.entries().isEmpty()) {
            read = reach;
            return Duration.ZERO;
        }
        counted = 0;
        Batch next = new Batch(page, claim.replay().id(), parts.config(), onAnswer, failures);
        batch = next;
        return publish(next);
    }

    private PageLimit limit() {
        PageLimit most = parts.config().page();
        OptionalInt rate = claim.replay().request().rate();
        long slow = rate.isPresent() ? (long) rate.getAsInt() * SECONDS_A_PAGE : Long.MAX_VALUE;
        return new PageLimit((int) Math.min(most.events(), slow), most.bytes());
    }

    private Duration publish(Batch current) {
        long now = nanos.getAsLong();
        if (now - renewedAt > trusted()) {
            return Duration.ZERO;
        }
        int permitted = pace.permits(current.ready(), now);
        if (permitted > 0) {
            pace.went(permitted, now);
            hand(current.take(permitted));
        }
        return current.hasAnswers() ? Duration.ZERO : pause(current, now);
    }

    private void hand(List<Publication> publications) {
        try {
            parts.publisher().publish(publications);
        } catch (RuntimeException broken) { // it must not, but whoever waits for an outcome would wait for ever
            publications.forEach(one -> one.settle(Outcome.unknown(Outcome.reasonOf(broken))));
        }
    }

    private Duration pause(Batch current, long now) {
        Duration pause = Duration.ofNanos(Math.max(0, renewedAt + renewal() - now));
        pause = shorter(pause, UNTIL_WOKEN);
        if (current.ready() > 0) {
            pause = shorter(pause, longer(pace.untilNext(now), SHORTEST_PAUSE));
        }
        Optional<Duration> due = current.untilDue(now);
        return due.isPresent() ? shorter(pause, due.get()) : pause;
    }

    private Duration finishPage(Batch done) {
        read = reach;
        boolean goesOn = checkpoint(reach, done.acceptedFirst() - counted);
        batch = null;
        return goesOn && read >= end ? finish() : Duration.ZERO;
    }

    private Duration finish() {
        if (parts.store().finish(claim)) {
            LOG.info("Replay {} is done {}", claim.replay().id(), parts.ids());
        }
        ended = true;
        return Duration.ZERO;
    }

    private Duration fail(String fault) {
        parts.store().fail(claim, fault);
        end("has FAILED: " + fault);
        return Duration.ZERO;
    }

    /** As far as it has come without a gap. False if nothing more may be published. */
    private boolean checkpoint() {
        Batch current = batch;
        if (current == null) {
            return checkpoint(read, 0);
        }
        int accepted = current.acceptedFirst() - counted;
        return checkpoint(current.acceptedSeq().orElse(read), accepted);
    }

    private boolean checkpoint(long to, int published) {
        long sent = nanos.getAsLong();
        Standing standing = parts.store()
                .advance(
                        claim,
                        new Checkpoint(saved, to, published),
                        parts.config().ttl());
        if (standing == Standing.LOST) {
            end("is cancelled, or another process has it");
            return false;
        }
        saved = to;
        counted += published;
        renewedAt = sent;
        if (standing == Standing.PAUSED) {
            parts.store().release(claim);
            end("waits for its route, which is paused");
            return false;
        }
        return true;
    }

    /** Writes down how far it has come and gives it back. */
    void stop() {
        batch().ifPresent(current -> current.settle(nanos.getAsLong()));
        if (!ended && checkpoint()) {
            parts.store().release(claim);
        }
        ended = true;
    }

    private void end(String why) {
        ended = true;
        LOG.info("Replay {} {} {}", claim.replay().id(), why, parts.ids());
    }

    private boolean mustRenew(long now) {
        return now - renewedAt >= renewal();
    }

    private long renewal() {
        return parts.config().ttl().toNanos() / 3;
    }

    /** From when the renewal was sent: the database counted from later on. */
    private long trusted() {
        return parts.config().ttl().toNanos() / 3 * 2;
    }

    private static Duration shorter(Duration a, Duration b) {
        return a.compareTo(b) < 0 ? a : b;
    }

    private static Duration longer(Duration a, Duration b) {
        return a.compareTo(b) > 0 ? a : b;
    }
}
