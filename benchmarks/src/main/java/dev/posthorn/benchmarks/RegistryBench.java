package dev.posthorn.benchmarks;

import dev.posthorn.codecs.JsonCodec;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.registry.CheckedOutbox;
import dev.posthorn.registry.CheckedPublisher;
import dev.posthorn.registry.Contract;
import dev.posthorn.registry.EventType;
import dev.posthorn.registry.JsonSchemaContract;
import dev.posthorn.registry.Mode;
import dev.posthorn.registry.Registry;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the registry's check costs a drain: without it, with names and payloads looked at, and with a record or a schema, of
 * events that were emitted through the same registry and of others, whose payloads are parsed.
 *
 * <p>Each registry that events are emitted through has a database of its own: an event has one stamp.
 */
final class RegistryBench implements Benchmark {

    private static final double OF_UNCHECKED = 0.95;
    private static final int SLICE = 10_000;
    private static final String UNIT = "events/s";
    private static final String RATIO = "of no registry";
    private static final String SCHEMA = """
            {
              "type": "object",
              "required": ["orderNo", "amount", "currency"],
              "properties": {
                "orderNo": {"type": "string", "minLength": 1},
                "amount": {"type": "integer", "minimum": 0},
                "currency": {"enum": ["EUR", "USD"]},
                "note": {"type": "string"}
              }
            }""";

    /** What the payloads are. */
    record Order(String orderNo, long amount, String currency, String note) {}

    @Override
    public String name() {
        return "registry";
    }

    @Override
    public String summary() {
        return "publish a backlog with the registry's check, beside the same without";
    }

    @Override
    public BenchOptions standard() {
        return BenchOptions.standard().withRuns(40);
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        Registry ofAny = registry(Contract.ANY);
        Registry ofRecords = registry(Contract.of(Order.class, new JsonCodec()));
        Registry ofSchemas = registry(JsonSchemaContract.of("order.json", SCHEMA));
        BenchContext plain = context.sibling("plain", context.options());
        BenchContext twin = context.sibling("twin", context.options());
        BenchContext throughRecords = context.sibling("record", context.options());
        BenchContext throughSchemas = context.sibling("schema", context.options());
        Map<BenchContext, Outbox> outboxes = new LinkedHashMap<>();
        outboxes.put(plain, plain(plain));
        outboxes.put(twin, plain(twin));
        outboxes.put(throughRecords, new CheckedOutbox(plain(throughRecords), ofRecords));
        outboxes.put(throughSchemas, new CheckedOutbox(plain(throughSchemas), ofSchemas));
        emit(context, outboxes);

        RelayDrain unchecked = new RelayDrain("no registry", plain, 0, RelayDrain.DIRECT);
        RelayDrain other = new RelayDrain("no registry, other", twin, 0, RelayDrain.DIRECT);
        RelayDrain names = checked("type and payload there", plain, ofAny);
        RelayDrain record = checked("record", throughRecords, ofRecords);
        RelayDrain schema = checked("schema", throughSchemas, ofSchemas);
        RelayDrain recordParsed = checked("record, parsed", plain, ofRecords);
        RelayDrain schemaParsed = checked("schema, parsed", plain, ofSchemas);
        List<RelayDrain> contenders = List.of(other, names, record, schema, recordParsed, schemaParsed);
        Pairs pairs = new Pairs(context, unchecked, contenders);
        pairs.run();

        List<BenchResult.Line> lines = new ArrayList<>();
        lines.add(new BenchResult.Line(unchecked.name(), UNIT, pairs.baselineSpeed()));
        contenders.forEach(one -> lines.add(new BenchResult.Line(one.name(), UNIT, pairs.speed(one))));
        contenders.forEach(one -> lines.add(new BenchResult.Line(one.name(), RATIO, pairs.ratio(one))));
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("events", context.options().events());
        notes.put("payload_bytes", context.options().payload());
        notes.putAll(context.environment());
        return new BenchResult(
                name(),
                new BenchResult.Headline(
                        UNIT, pairs.speed(names).median(), pairs.baselineSpeed().median()),
                context.options().runs(),
                lines,
                List.of(
                        Floor.atLeast(
                                "of a drain without, looking at names",
                                pairs.ratio(names).median(),
                                OF_UNCHECKED),
                        // with a stamp both do the same, so their pairs are of one kind
                        Floor.atLeast(
                                "of a drain without, for what was emitted through it",
                                pairs.ratio(record, schema).median(),
                                OF_UNCHECKED)),
                notes);
    }

    private static Registry registry(Contract contract) {
        return Registry.of(
                Mode.STRICT,
                List.of(EventType.of("orders", "order.placed").payload(contract), EventType.of("orders", "other")));
    }

    private static Outbox plain(BenchContext context) {
        return new PostgresOutbox(PostgresOutboxConfig.DEFAULT.withSchema(context.schema()));
    }

    private static RelayDrain checked(String name, BenchContext context, Registry registry) {
        return new RelayDrain(name, context, 0, sink -> new CheckedPublisher(RelayDrain.DIRECT.apply(sink), registry));
    }

    /**
     * As the backlog of the other benchmarks, with objects as payloads; into all databases in turn, so that none lies better in
     * memory than the others. All four together fit into the server's buffers.
     */
    private static void emit(BenchContext context, Map<BenchContext, Outbox> outboxes) throws SQLException {
        BenchOptions options = context.options();
        Backlog backlog = new Backlog(options);
        context.say(
                "emitting %,d events of %d bytes over %,d keys into each of %d databases",
                options.events(), options.payload(), options.keys(), outboxes.size());
        for (int from = 0; from < options.events(); from += SLICE) {
            List<Event> slice = new ArrayList<>();
            for (int i = from; i < Math.min(options.events(), from + SLICE); i++) {
                slice.add(backlog.event(i, payload(i, options.payload())));
            }
            for (Map.Entry<BenchContext, Outbox> into : outboxes.entrySet()) {
                backlog.emit(into.getKey(), slice, into.getValue());
            }
        }
    }

    private static byte[] payload(int i, int size) {
        String head = "{\"orderNo\":\"ORD-" + i + "\",\"amount\":" + i + ",\"currency\":\"EUR\",\"note\":\"";
        String note = "x".repeat(Math.max(0, size - head.length() - 2));
        return (head + note + "\"}").getBytes(StandardCharsets.UTF_8);
    }
}
