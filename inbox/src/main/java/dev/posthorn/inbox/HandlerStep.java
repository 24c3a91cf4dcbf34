package dev.posthorn.inbox;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.event.Failure;
import dev.posthorn.event.PosthornException;
import dev.posthorn.inbox.ConsumerConfig.GiveUp;
import dev.posthorn.transport.NotYetException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Verdict;
import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * begin → first time? → handle → commit, for one event and one handler.
 *
 * <p>What the database does is not charged to the event: as long as it is out of reach, {@link InboxException} says so.
 *
 * @param <T> what handlers work in
 */
final class HandlerStep<T> {

    /** Something to be done in the session before the handler; false if there is nothing to handle after all. */
    interface Before<T> {
        boolean allows(T transaction);
    }

    private final ConsumerConfig config;
    private final Inbox<T> inbox;
    private final TimeLimit time;
    private final Journal journal;
    private final Patience patience;

    HandlerStep(ConsumerConfig config, Inbox<T> inbox, TimeLimit time, Journal journal, Patience patience) {
        this.config = config;
        this.inbox = inbox;
        this.time = time;
        this.journal = journal;
        this.patience = patience;
    }

    Handled run(Handlers.Named<T> handler, Event event, int attempt) {
        return run(handler, event, attempt, transaction -> true);
    }

    Handled run(Handlers.Named<T> handler, Event event, int attempt, Before<T> before) {
        return run(handler, event, event.id(), attempt, before);
    }

    /** With a mark that is not the event's id: whatever was handled under that. */
    Handled run(Handlers.Named<T> handler, Event event, UUID mark, int attempt) {
        return run(handler, event, mark, attempt, transaction -> true);
    }

    private Handled run(Handlers.Named<T> handler, Event event, UUID mark, int attempt, Before<T> before) {
        long start = System.nanoTime();
        try (InboxSession<T> session = inbox.begin()) {
            if (!before.allows(session.transaction())
                    || session.firstTimes(idOf(handler), Set.of(mark)).isEmpty()) {
                session.commit();
                journal.skipped();
                return new Handled.Done();
            }
            Verdict verdict = call(session, handler, event);
            if (verdict instanceof Verdict.Done) {
                session.commit();
                journal.handled(event, Duration.ofNanos(System.nanoTime() - start));
            }
            return judged(verdict, attempt);
        } catch (InboxException outage) {
            throw outage;
        } catch (DeadLetterException explicit) {
            return new Handled.Dead(explicit.why());
        } catch (Throwable failed) { // an Error of a handler, too, is charged to its event and reported
            return afterFailure(failed, attempt);
        }
    }

    /** Calls the handler in a session that others share; false if its effects must not be kept. */
    boolean callIn(InboxSession<T> session, Handlers.Named<T> handler, Event event) throws Exception {
        return call(session, handler, event) instanceof Verdict.Done;
    }

    private Verdict call(InboxSession<T> session, Handlers.Named<T> handler, Event event) throws Exception {
        @Nullable Verdict verdict = null;
        try {
            verdict = time.run(
                    session, handler.name(), event, () -> handler.handler().handle(event, session.transaction()));
        } finally {
            if (!patience.isStopped()) {
                boolean unused = Thread.interrupted(); // a flag that the handler left set must not fail the commit
            }
        }
        if (verdict == null) {
            throw new PosthornException("Handler \"" + handler.name()
                    + "\" returned null. Return Verdict.done(), Verdict.retry(…) or Verdict.reject(…).");
        }
        return verdict;
    }

    HandlerId idOf(Handlers.Named<T> handler) {
        return new HandlerId(config.name(), handler.name());
    }

    private Handled judged(Verdict verdict, int attempt) {
        return verdict.reduce(new Verdict.Cases<Handled>() {
            @Override
            public Handled done() {
                return new Handled.Done();
            }

            @Override
            public Handled retry(Duration after, String reason) {
                return attempt < config.retries().maxAttempts() || config.giveUp() == GiveUp.EXPLICIT
                        ? new Handled.Again(after, reason)
                        : new Handled.Dead(new Cause.ProcessingFailed(reason, attempt, true));
            }

            @Override
            public Handled reject(String reason) {
                return new Handled.Dead(new Cause.Rejected(reason));
            }
        });
    }

    private Handled afterFailure(Throwable failed, int attempt) {
        if (failed instanceof NotYetException early) {
            return new Handled.Again(early.left(), Outcome.reasonOf(early), false); // it has not been tried
        }
        Units.Trouble trouble = inbox.troubleOf(failed);
        if (trouble == Units.Trouble.OUTAGE) {
            throw new InboxException(
                    "The database went away while an event was handled: " + Outcome.reasonOf(failed), failed);
        }
        if (patience.isStopped() && isInterrupted(failed)) {
            Thread.currentThread().interrupt();
            throw new StoppedException();
        }
        String error = Outcome.reasonOf(failed);
        boolean passing = failed instanceof TimeoutException || trouble == Units.Trouble.PASSING;
        return failed(error, attempt, passing);
    }

    /** What becomes of an event that no handler wants. */
    Handled unhandled(Event event, int attempt) {
        String reason =
                "no handler of consumer \"" + config.name() + "\" wants events of type \"" + event.type() + "\"";
        return switch (config.unhandled()) {
            case IGNORE -> new Handled.Done();
            case RETRY -> failed(reason, attempt, false);
            case DEAD_LETTER -> new Handled.Dead(new Cause.Rejected(reason));
        };
    }

    private Handled failed(String error, int attempt, boolean passing) {
        return config.retries()
                .pauseAfter(attempt, ThreadLocalRandom.current())
                .<Handled>map(pause -> new Handled.Again(pause, error))
                .orElseGet(() -> config.giveUp() == GiveUp.AUTOMATIC
                        ? new Handled.Dead(new Cause.ProcessingFailed(error, attempt, passing))
                        : new Handled.Again(lastPause(), error));
    }

    /** Handlers wrap it, or leave the thread's flag. Without an end of the consumer it is a failure like any other. */
    private static boolean isInterrupted(Throwable thrown) {
        for (Throwable cause : Failure.chainOf(thrown)) {
            if (cause instanceof InterruptedException) {
                return true;
            }
        }
        return Thread.currentThread().isInterrupted();
    }

    private Duration lastPause() {
        int most = Math.max(1, config.retries().maxAttempts() - 1);
        return config.retries().pauseAfter(most, ThreadLocalRandom.current()).orElse(Duration.ofMinutes(1));
    }
}
