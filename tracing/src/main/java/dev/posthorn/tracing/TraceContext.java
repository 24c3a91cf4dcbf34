package dev.posthorn.tracing;

import dev.posthorn.event.Event;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.ContextKey;
import io.opentelemetry.context.propagation.TextMapGetter;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** W3C trace context in an event, and the event in a context. */
final class TraceContext {

    /** The event that the current thread handles. */
    static final ContextKey<Event> HANDLED = ContextKey.named("posthorn-handled-event");

    static final String TRACEPARENT = "traceparent";
    static final String TRACESTATE = "tracestate";

    /** As replays mark what they publish. */
    private static final String REPLAY = "replay";

    private static final W3CTraceContextPropagator W3C = W3CTraceContextPropagator.getInstance();

    private TraceContext() {}

    /** The context of the span that emitted the event; the root if it has none. */
    static Context of(Event event) {
        return W3C.extract(Context.root(), event, Reader.INSTANCE);
    }

    /** The event with this context; as it was if there is no span in it. */
    static Event put(Event event, Context context) {
        Map<String, String> fields = new HashMap<>();
        W3C.inject(context, fields, (carrier, name, value) -> fields.put(name, value));
        String traceparent = fields.get(TRACEPARENT);
        if (traceparent == null) {
            return event;
        }
        Event traced = event.withTraceparent(traceparent);
        String tracestate = fields.get(TRACESTATE);
        return tracestate == null ? traced.withoutHeader(TRACESTATE) : traced.withHeader(TRACESTATE, tracestate);
    }

    /** Whether it is published again, perhaps years later: that is no part of the trace in which it was emitted. */
    static boolean isReplayed(Event event) {
        return event.headers().containsKey(REPLAY);
    }

    private enum Reader implements TextMapGetter<Event> {
        INSTANCE;

        @Override
        public @Nullable String get(@Nullable Event event, String name) {
            if (event == null) {
                return null;
            }
            return name.equals(TRACEPARENT)
                    ? event.traceparent().orElse(null)
                    : event.headers().get(name);
        }
    }
}
