package dev.posthorn.tracing;

import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.transport.Publisher;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * Spans for emit, publish and process, by OpenTelemetry's conventions for messaging.
 *
 * <p>The event carries the context of its emit span in {@code traceparent} (and {@code tracestate}, where there is one), through
 * the log and any broker. Publish and process spans have it as parent and link to it, so one trace tells the whole way, also if
 * a process in between traces nothing.
 *
 * <p>Shows ids, domains, types and sizes; never a payload, a key or a header.
 *
 * <p>Thread-safe.
 */
public final class Tracing {

    private static final String POSTHORN = "posthorn";

    /** Transports that the conventions call otherwise. */
    private static final Map<String, String> SYSTEMS =
            Map.of("sns-sqs", "aws.sns", "google-pubsub", "gcp_pubsub", "redis-streams", "redis");

    private final Spans spans;

    private Tracing(Spans spans) {
        this.spans = spans;
    }

    /** Spans go where this one sends them. */
    public static Tracing by(OpenTelemetry telemetry) {
        return new Tracing(new Spans(telemetry.getTracer("dev.posthorn"), POSTHORN));
    }

    /** The same for a broker: the name of a transport, such as {@code kafka}, or of a system as the conventions have it. */
    public Tracing over(String transport) {
        return new Tracing(spans.of(SYSTEMS.getOrDefault(transport, transport)));
    }

    /**
     * An outbox that makes a span for each event and puts its context into the event.
     *
     * <p>Within a handler of {@link #consumer} what is emitted also gets the handled event's correlation id and its id as
     * causation id, unless the emitter has set them.
     */
    public Outbox before(Outbox outbox) {
        return new TracedEmit(spans).before(outbox);
    }

    /** A publisher that makes a span for each try, from handing it over to its outcome. */
    public Publisher around(Publisher publisher) {
        return new TracedPublisher(publisher, spans);
    }

    /**
     * What makes a span for each call of a handler of this consumer: {@code handlers.around(tracing.consumer("billing"))}.
     *
     * <p>The span is current while the handler runs, so what it calls is part of the trace.
     */
    public <T> UnaryOperator<EventHandler<T>> consumer(String name) {
        return handler -> new TracedHandler<>(handler, name, spans);
    }
}
