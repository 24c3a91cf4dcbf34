package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedbrokers.EmbeddedKafka;
import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.tracing.Tracing;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One trace from a request over emit, log, relay and Kafka to two handlers, the second of which hears what the first emits. */
@Tag("slow")
@Timeout(240)
class TraceAcrossKafkaTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetry telemetry = OpenTelemetrySdk.builder()
            .setTracerProvider(SdkTracerProvider.builder()
                    .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                    .build())
            .build();
    private final Tracing tracing = Tracing.by(telemetry);
    private final Outbox outbox = tracing.before(new PostgresOutbox(PostgresOutboxConfig.DEFAULT));

    @Test
    void aTraceLeadsFromEmitToHandler() throws SQLException {
        try (EmbeddedKafka broker = Brokers.orSkip(EmbeddedKafka::start);
                SnippetDatabase snippets = SnippetDatabase.migrated(4);
                Bus bus = ConsumedBus.open("kafka " + broker.address())) {
            DataSource database = snippets.dataSource();
            Handlers<Connection> handlers = Handlers.<Connection>none()
                    .on(
                            "order.placed",
                            "bill",
                            EventHandler.of((event, connection) -> outbox.emit(
                                    connection, Event.of("shop", "order.billed").build())))
                    .on("order.billed", "ship", EventHandler.of((event, connection) -> {}))
                    .around(tracing.over("kafka").consumer("orders"));
            Event placed =
                    Event.of("shop", "order.placed").key("order-17").json("{}").build();
            Span request = telemetry.getTracer("test").spanBuilder("request").startSpan();
            try (Consumer<Connection> consumer = Consumer.start(
                            bus,
                            ConsumerConfig.of(Subscriber.named("orders").domains("shop")),
                            handlers,
                            PostgresInbox.equipment(database, Schema.DEFAULT));
                    Relay relay = relay(database, bus)) {
                emitWithin(request, database, placed);

                Await.within(
                        PATIENCE,
                        () -> "both are handled: " + consumer.report() + relay.status(),
                        () -> consumer.report().totals().handled() == 2);
            }
            request.end();
            assertTrace(request, placed, snippets);
        }
    }

    private Relay relay(DataSource database, Bus bus) {
        return Relay.start(
                PostgresRelayStores.open(
                        database, Schema.DEFAULT, Route.named("main").fromBeginning(), "relay-1"),
                tracing.over("kafka").around(bus.publisher()),
                RelayConfig.standard(),
                RoutePolicy.standard());
    }

    @SuppressWarnings("try") // the scope is there to be closed
    private void emitWithin(Span request, DataSource database, Event event) throws SQLException {
        try (Scope scope = request.makeCurrent();
                Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            outbox.emit(connection, event);
            connection.commit();
        }
    }

    private void assertTrace(Span request, Event placed, SnippetDatabase snippets) {
        SpanData emit = span("emit shop", "order.placed");
        SpanData publish = span("publish shop", "order.placed");
        SpanData process = span("process shop", "order.placed");
        SpanData emitNext = span("emit shop", "order.billed");
        SpanData processNext = span("process shop", "order.billed");

        assertThat(exporter.getFinishedSpanItems())
                .as("one trace")
                .hasSize(7)
                .allMatch(span ->
                        span.getTraceId().equals(request.getSpanContext().getTraceId()));
        assertThat(emit.getParentSpanId()).isEqualTo(request.getSpanContext().getSpanId());
        assertThat(List.of(publish, process)).allSatisfy(span -> assertFollows(span, emit));
        assertThat(emitNext.getParentSpanId()).isEqualTo(process.getSpanId());
        assertFollows(processNext, emitNext);

        assertThat(List.of(emit.getKind(), publish.getKind(), process.getKind()))
                .containsExactly(SpanKind.PRODUCER, SpanKind.CLIENT, SpanKind.CONSUMER);
        assertThat(List.of(emit, publish, process))
                .extracting(span -> text(span, "messaging.operation.type"))
                .containsExactly("create", "send", "process");
        assertThat(List.of(emit, publish, process))
                .extracting(span -> text(span, "messaging.system"))
                .containsExactly("posthorn", "kafka", "kafka");
        assertThat(List.of(emit, publish, process))
                .extracting(span -> text(span, "messaging.message.id"))
                .containsOnly(placed.id().toString());
        assertThat(text(process, "messaging.consumer.group.name")).isEqualTo("orders");
        assertThat(text(process, "messaging.destination.name")).isEqualTo("shop");
        assertThat(snippets.rows(
                        "SELECT causation_id, correlation_id FROM posthorn.outbox WHERE type = 'order.billed'"))
                .containsExactly(placed.id() + "|" + placed.id());
    }

    private static void assertFollows(SpanData span, SpanData emit) {
        assertThat(span.getParentSpanId()).isEqualTo(emit.getSpanId());
        assertThat(span.getParentSpanContext().isRemote()).isTrue();
        assertThat(span.getLinks())
                .extracting(link -> link.getSpanContext().getSpanId())
                .containsExactly(emit.getSpanId());
    }

    private SpanData span(String name, String type) {
        return exporter.getFinishedSpanItems().stream()
                .filter(span -> span.getName().equals(name) && type.equals(text(span, "posthorn.event.type")))
                .findFirst()
                .orElseThrow();
    }

    private static String text(SpanData span, String attribute) {
        return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(attribute)));
    }
}
