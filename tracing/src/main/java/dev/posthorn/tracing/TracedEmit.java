package dev.posthorn.tracing;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Causation;
import dev.posthorn.outbox.EmitStep;
import dev.posthorn.tracing.Spans.Operation;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Context;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A span for each event of an emit, from the call to its return. */
record TracedEmit(Spans spans) implements EmitStep {

    @Override
    public <R> R around(List<Event> events, Function<List<Event>, R> emit) {
        Context current = Context.current();
        @Nullable Event cause = current.get(TraceContext.HANDLED);
        List<Span> begun = new ArrayList<>(events.size());
        List<Event> traced = new ArrayList<>(events.size());
        for (Event event : events) {
            Event marked = cause == null ? event : Causation.by(cause).mark(event);
            Span span = spans.begin(Operation.EMIT, marked, parentOf(marked, current))
                    .startSpan();
            begun.add(span);
            traced.add(TraceContext.put(marked, current.with(span)));
        }
        try {
            return emit.apply(traced);
        } catch (RuntimeException failed) {
            String type = failed.getClass().getName();
            begun.forEach(span -> Spans.failed(span, type, "nothing was emitted"));
            throw failed;
        } finally {
            begun.forEach(Span::end);
        }
    }

    /** The span in which the caller is; else the one that the caller put into the event. */
    private static Context parentOf(Event event, Context current) {
        return Span.fromContext(current).getSpanContext().isValid() ? current : TraceContext.of(event);
    }
}
