package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Message;
import dev.posthorn.transport.UndecodableException;
import dev.posthorn.transport.Verdict;
import java.time.Clock;
import java.util.Map;

/**
 * Decode, first time, handle, dead letter: for people who drive their own loop over a broker's client. Thread-safe.
 *
 * <p>Whoever calls this gives the message back to the broker, or acknowledges it, as the result says; how often it was
 * tried is theirs to count. {@link dev.posthorn.deadletter.DeadLetterTarget#TRANSPORT} is left out of the dead letter targets:
 * a message that no other target takes is to be given back.
 *
 * @param <T> what handlers work in
 */
public final class MessageHandling<T> implements AutoCloseable {

    private final TimeLimit time;
    private final Patience patience;
    private final Pipeline<T> pipeline;

    public MessageHandling(ConsumerConfig config, Handlers<T> handlers, Equipment<T> equipment) {
        Journal journal = new Journal(Clock.systemUTC());
        this.time = new TimeLimit(config.handlerTime(), config.name());
        this.patience = new Patience(journal, Consumer.failuresOf(config));
        this.pipeline = new Pipeline<>(
                handlers,
                new HandlerStep<>(config, equipment.inbox(), time, journal, patience),
                equipment.deadLetters().withoutTransport(), // whose broker it is, only the caller knows
                new Pipeline.Origin(config.name(), config.kind(), Member.name()),
                journal);
    }

    /**
     * Handles what a broker brought.
     *
     * @param attempt 1 for the first time it came
     */
    public DispatchResult process(Message message, int attempt) {
        Event event;
        try {
            event = EventMessage.read(message);
        } catch (UndecodableException no) {
            Verdict kept = pipeline.undecodable(message, String.valueOf(no.getMessage()), Map.of());
            return kept instanceof Verdict.Retry ? DispatchResult.HANDLER_FAILED : DispatchResult.DECODE_ERROR;
        }
        return process(event, attempt);
    }

    /** The same for an event. */
    public DispatchResult process(Event event, int attempt) {
        try {
            Verdict verdict = pipeline.handle(event, new Pipeline.Arrived(attempt, Map.of()));
            return verdict instanceof Verdict.Retry ? DispatchResult.HANDLER_FAILED : DispatchResult.SUCCESS;
        } catch (InboxException | StoppedException outage) {
            return DispatchResult.HANDLER_FAILED;
        }
    }

    @Override
    public void close() {
        patience.stop();
        time.close();
    }
}
