package dev.posthorn.inbox;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.deadletter.Cause;
import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Threads;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;

/**
 * Has events of a replay handled straight away, past any broker and in their order, by one thread of its own.
 *
 * <p>The marks of a replay are its own: what was handled before is handled once more, and once for each replay, however often
 * the replay is interrupted. A handler that fails makes no dead letter; the outcome says so, and the replay stops at that event.
 *
 * @param <T> what handlers work in
 */
final class ReplayIntake<T> implements Publisher {

    /** The event's own header by which a replay marks what it publishes. */
    static final String HEADER = "replay";

    private static final String CLOSED = "the consumer is closed";

    private final Pipeline<T> pipeline;
    private final Predicate<Event> isForOthers;
    private final ExecutorService thread;

    /** With what says whether a handler that only another member has wants an event. */
    ReplayIntake(String consumer, Pipeline<T> pipeline, Predicate<Event> isForOthers) {
        this.pipeline = pipeline;
        this.isForOthers = isForOthers;
        this.thread = Executors.newSingleThreadExecutor(work -> Threads.daemon("posthorn-replay-" + consumer, work));
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        for (Publication publication : publications) {
            try {
                thread.execute(() -> publication.settle(handle(publication.event(), publication.attempt())));
            } catch (RejectedExecutionException closed) {
                publication.settle(Outcome.unavailable(CLOSED));
            }
        }
    }

    private Outcome handle(Event event, int attempt) {
        if (isForOthers.test(event)) {
            return Outcome.unavailable("another member of the consumer has a handler for it that this one lacks");
        }
        String replay = event.headers().getOrDefault(HEADER, "");
        UUID mark = UUID.nameUUIDFromBytes((replay + "/" + event.id()).getBytes(UTF_8));
        try {
            for (Handlers.Named<T> handler : pipeline.handlers().of(event)) {
                Outcome outcome =
                        pipeline.step().run(handler, event, mark, attempt).reduce(new Answer(handler.name()));
                if (!(outcome instanceof Outcome.Accepted)) {
                    return outcome;
                }
            }
            return Outcome.accepted();
        } catch (InboxException | StoppedException outage) {
            return Outcome.unavailable(String.valueOf(outage.getMessage()));
        }
    }

    private record Answer(String handler) implements Handled.Cases<Outcome> {
        @Override
        public Outcome done() {
            return Outcome.accepted();
        }

        @Override
        public Outcome again(Duration after, String reason) {
            return Outcome.failed(handler + ": " + reason);
        }

        @Override
        public Outcome dead(Cause cause) {
            return Outcome.refused(handler + ": " + cause.reason());
        }
    }

    /** What waits is unavailable; what is in work is finished by its handler. */
    @Override
    public void close() {
        thread.shutdown();
    }
}
