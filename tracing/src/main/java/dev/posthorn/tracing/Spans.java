package dev.posthorn.tracing;

import dev.posthorn.event.Event;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;

/** Makes spans with the attributes that the conventions for messaging ask for. */
record Spans(Tracer tracer, String system) {

    static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    static final AttributeKey<String> OPERATION_NAME = AttributeKey.stringKey("messaging.operation.name");
    static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey("messaging.operation.type");
    static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    static final AttributeKey<String> MESSAGE_ID = AttributeKey.stringKey("messaging.message.id");
    static final AttributeKey<String> CONVERSATION = AttributeKey.stringKey("messaging.message.conversation_id");
    static final AttributeKey<Long> BODY_SIZE = AttributeKey.longKey("messaging.message.body.size");
    static final AttributeKey<String> GROUP = AttributeKey.stringKey("messaging.consumer.group.name");
    static final AttributeKey<String> ERROR_TYPE = AttributeKey.stringKey("error.type");
    static final AttributeKey<String> EVENT_TYPE = AttributeKey.stringKey("posthorn.event.type");
    static final AttributeKey<Long> ATTEMPT = AttributeKey.longKey("posthorn.attempt");

    /** What is done to an event, in our word and in the conventions'. */
    enum Operation {
        EMIT("emit", "create", SpanKind.PRODUCER),
        PUBLISH("publish", "send", SpanKind.CLIENT),
        PROCESS("process", "process", SpanKind.CONSUMER);

        private final String word;
        private final String type;
        private final SpanKind kind;

        Operation(String word, String type, SpanKind kind) {
            this.word = word;
            this.type = type;
            this.kind = kind;
        }
    }

    Spans of(String otherSystem) {
        return new Spans(tracer, otherSystem);
    }

    /** A span below this context. */
    SpanBuilder begin(Operation operation, Event event, Context parent) {
        SpanBuilder span = tracer.spanBuilder(operation.word + " " + event.domain())
                .setSpanKind(operation.kind)
                .setParent(parent)
                .setAttribute(SYSTEM, system)
                .setAttribute(OPERATION_NAME, operation.word)
                .setAttribute(OPERATION_TYPE, operation.type)
                .setAttribute(DESTINATION, event.domain())
                .setAttribute(MESSAGE_ID, event.id().toString())
                .setAttribute(BODY_SIZE, (long) event.payloadSize())
                .setAttribute(EVENT_TYPE, event.type());
        event.correlationId().ifPresent(id -> span.setAttribute(CONVERSATION, id));
        return span;
    }

    /** A span of an event that was emitted before: below its emit span unless it is replayed, and linked to it. */
    SpanBuilder follow(Operation operation, Event event) {
        Context emitted = TraceContext.of(event);
        SpanContext origin = Span.fromContext(emitted).getSpanContext();
        SpanBuilder span = begin(operation, event, TraceContext.isReplayed(event) ? Context.root() : emitted);
        return origin.isValid() ? span.addLink(origin) : span;
    }

    static void failed(Span span, String errorType, String description) {
        span.setAttribute(ERROR_TYPE, errorType);
        span.setStatus(StatusCode.ERROR, description);
    }
}
