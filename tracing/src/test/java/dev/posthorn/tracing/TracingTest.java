package dev.posthorn.tracing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Verdict;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.junit.jupiter.api.Test;

class TracingTest {

    private static final String TRACEPARENT = "00-" + "1".repeat(32) + "-" + "2".repeat(16) + "-01";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetry telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    private final Tracing tracing = Tracing.by(telemetry).over("kafka");

    private final List<Event> emitted = new ArrayList<>();
    private final Outbox log = new Outbox() {
        @Override
        public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
            emitted.addAll(events);
            return Emission.NOTHING;
        }

        @Override
        public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
            throw new IllegalStateException("the database is away");
        }
    };
    private final Outbox outbox = Tracing.by(telemetry).before(log);

    /** Nothing here reaches a database. */
    private final Connection connection = (Connection) Proxy.newProxyInstance(
            getClass().getClassLoader(), new Class<?>[] {Connection.class}, (proxy, method, arguments) -> {
                throw new UnsupportedOperationException(method.getName());
            });

    private static Event event() {
        return Event.of("shop", "placed")
                .correlationId("request-7")
                .json("{\"a\":1}")
                .build();
    }

    private SpanData span() {
        assertThat(exporter.getFinishedSpanItems()).hasSize(1);
        return exporter.getFinishedSpanItems().get(0);
    }

    @Test
    void anEmittedEventCarriesTheContextOfItsSpan() {
        Event event = event();

        outbox.emit(connection, event);

        SpanData span = span();
        assertThat(span.getName()).isEqualTo("emit shop");
        assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(span.getAttributes().asMap())
                .containsEntry(Spans.SYSTEM, "posthorn")
                .containsEntry(Spans.OPERATION_NAME, "emit")
                .containsEntry(Spans.OPERATION_TYPE, "create")
                .containsEntry(Spans.DESTINATION, "shop")
                .containsEntry(Spans.MESSAGE_ID, event.id().toString())
                .containsEntry(Spans.CONVERSATION, "request-7")
                .containsEntry(Spans.BODY_SIZE, 7L)
                .containsEntry(Spans.EVENT_TYPE, "placed");
        assertThat(emitted.get(0).traceparent().orElseThrow())
                .startsWith("00-" + span.getTraceId() + "-" + span.getSpanId() + "-");
    }

    @Test
    void anEmitIsPartOfTheTraceItHappensIn() {
        Span request = telemetry.getTracer("test").spanBuilder("request").startSpan();
        try (Scope scope = request.makeCurrent()) {
            assertThat(scope).isNotNull();
            outbox.emit(connection, event(), event());
        }

        assertThat(exporter.getFinishedSpanItems())
                .hasSize(2)
                .allMatch(span ->
                        span.getParentSpanId().equals(request.getSpanContext().getSpanId()));
        assertThat(emitted.get(0).traceparent()).isNotEqualTo(emitted.get(1).traceparent());
    }

    @Test
    void aTraceThatTheProducerBroughtGoesOn() {
        outbox.emit(
                connection,
                Event.of("shop", "placed")
                        .traceparent(TRACEPARENT)
                        .header("tracestate", "vendor=1")
                        .build());

        assertThat(span().getParentSpanContext().getTraceId()).isEqualTo("1".repeat(32));
        assertThat(span().getParentSpanId()).isEqualTo("2".repeat(16));
        assertThat(emitted.get(0).headers()).containsEntry("tracestate", "vendor=1");
    }

    @Test
    void anEmitThatFailsIsSeen() {
        assertThatThrownBy(() -> outbox.commit(connection, Change.of("UPDATE t SET x = 1"), event()))
                .hasMessage("the database is away");

        assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span().getAttributes().get(Spans.ERROR_TYPE)).isEqualTo("java.lang.IllegalStateException");
    }

    @Test
    void withoutATracerNothingChanges() {
        Event event = event();

        Tracing.by(OpenTelemetry.noop()).before(log).emit(connection, event);

        assertThat(emitted).containsExactly(event);
    }

    private record Try(Event event, List<Outcome> outcomes) implements Publication {
        @Override
        public int attempt() {
            return 3;
        }

        @Override
        public void settle(Outcome outcome) {
            outcomes.add(outcome);
        }
    }

    private Publisher answering(Outcome outcome) {
        return tracing.around(new Publisher() {
            @Override
            public void publish(List<? extends Publication> publications) {
                publications.forEach(one -> one.settle(outcome));
            }

            @Override
            public int longestRun() {
                return 5;
            }

            @Override
            public void close() {}
        });
    }

    @Test
    void aPublishFollowsTheEmitAndLinksToIt() {
        List<Outcome> outcomes = new ArrayList<>();
        Event event = Event.of("shop", "placed").traceparent(TRACEPARENT).build();

        answering(Outcome.accepted()).publish(List.of(new Try(event, outcomes)));

        assertThat(outcomes).containsExactly(Outcome.accepted());
        assertThat(span().getName()).isEqualTo("publish shop");
        assertThat(span().getKind()).isEqualTo(SpanKind.CLIENT);
        assertThat(span().getTraceId()).isEqualTo("1".repeat(32));
        assertThat(span().getLinks())
                .extracting(link -> link.getSpanContext().getSpanId())
                .containsExactly("2".repeat(16));
        assertThat(span().getAttributes().asMap())
                .containsEntry(Spans.SYSTEM, "kafka")
                .containsEntry(Spans.OPERATION_TYPE, "send")
                .containsEntry(Spans.ATTEMPT, 3L);
        assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
    }

    @Test
    void aPublishThatDidNotGoThroughSaysWhy() {
        answering(Outcome.failed("unroutable")).publish(List.of(new Try(event(), new ArrayList<>())));

        assertThat(span().getAttributes().get(Spans.ERROR_TYPE)).isEqualTo("failed");
        assertThat(span().getStatus().getDescription()).isEqualTo("unroutable");
    }

    @Test
    void aTracedPublisherKeepsTheLongestRun() {
        assertThat(answering(Outcome.accepted()).longestRun()).isEqualTo(5);
    }

    private EventHandler<Connection> handler(EventHandler<Connection> inner) {
        return tracing.<Connection>consumer("billing").apply(inner);
    }

    @Test
    void whatAHandlerEmitsIsPartOfTheTraceAndFollowsFromTheEvent() throws Exception {
        Event handled = Event.of("shop", "placed").traceparent(TRACEPARENT).build();

        handler(EventHandler.of((event, transaction) ->
                        outbox.emit(transaction, Event.of("billing", "billed").build())))
                .handle(handled, connection);

        SpanData process = exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals("process shop"))
                .findFirst()
                .orElseThrow();
        assertThat(process.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(process.getParentSpanId()).isEqualTo("2".repeat(16));
        assertThat(process.getLinks()).hasSize(1);
        assertThat(process.getAttributes().get(Spans.GROUP)).isEqualTo("billing");
        Event billed = emitted.get(0);
        assertThat(billed.causationId()).contains(handled.id().toString());
        assertThat(billed.correlationId()).contains(handled.id().toString());
        assertThat(billed.traceparent().orElseThrow()).contains("1".repeat(32));
    }

    @Test
    void aReplayedEventBeginsATraceOfItsOwnThatLinksToTheOldOne() throws Exception {
        Event replayed = Event.of("shop", "placed")
                .traceparent(TRACEPARENT)
                .header("replay", "r-1")
                .build();

        handler(EventHandler.of((event, transaction) -> {})).handle(replayed, connection);

        assertThat(span().getTraceId()).isNotEqualTo("1".repeat(32));
        assertThat(span().getLinks())
                .extracting(link -> link.getSpanContext().getTraceId())
                .containsExactly("1".repeat(32));
    }

    @Test
    void aHandlerThatThrowsIsSeen() {
        EventHandler<Connection> failing = handler((event, transaction) -> {
            throw new IllegalArgumentException("no account");
        });

        assertThatThrownBy(() -> failing.handle(event(), connection)).hasMessage("no account");

        assertThat(span().getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span().getEvents()).hasSize(1);
    }

    @Test
    void aVerdictOtherThanDoneIsSeen() throws Exception {
        Verdict verdict = handler((event, transaction) -> Verdict.retry(Duration.ofSeconds(1), "later"))
                .handle(event(), connection);

        assertThat(verdict).isInstanceOf(Verdict.Retry.class);
        assertThat(span().getAttributes().get(Spans.ERROR_TYPE)).isEqualTo("retry");
    }
}
