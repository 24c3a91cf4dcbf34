package dev.posthorn.tracing;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.tracing.Spans.Operation;
import dev.posthorn.transport.Verdict;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.time.Duration;

/** A span for each call of a handler; the span and the event are current while it runs. */
record TracedHandler<T>(EventHandler<T> handler, String consumer, Spans spans) implements EventHandler<T> {

    @Override
    @SuppressWarnings("try") // the scope is there to be closed
    public Verdict handle(Event event, T transaction) throws Exception {
        Span span = spans.follow(Operation.PROCESS, event)
                .setAttribute(Spans.GROUP, consumer)
                .startSpan();
        Context context = Context.current().with(span).with(TraceContext.HANDLED, event);
        try (Scope scope = context.makeCurrent()) {
            Verdict verdict = handler.handle(event, transaction);
            verdict.reduce(new EndOf(span));
            return verdict;
        } catch (Throwable failed) {
            span.recordException(failed);
            Spans.failed(span, failed.getClass().getName(), "the handler threw");
            throw failed;
        } finally {
            span.end();
        }
    }

    /** Writes down what is not done. */
    private record EndOf(Span span) implements Verdict.Cases<Span> {

        @Override
        public Span done() {
            return span;
        }

        @Override
        public Span retry(Duration after, String reason) {
            Spans.failed(span, "retry", reason);
            return span;
        }

        @Override
        public Span reject(String reason) {
            Spans.failed(span, "rejected", reason);
            return span;
        }
    }
}
