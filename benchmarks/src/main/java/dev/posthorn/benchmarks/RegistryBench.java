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
        return BenchOptions.standard().withEvents(500_000).withRuns(9);
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        Registry ofAny = registry(Contract.ANY);
        Registry ofRecords = registry(Contract.of(Order.class, new JsonCodec()));
        Registry ofSchemas = registry(JsonSchemaContract.of("order.json", SCHEMA));
        BenchContext throughRecords = context.sibling("record", context.options());
        BenchContext throughSchemas = context.sibling("schema", context.options());
        emit(context, plain(context));
        emit(throughRecords, new CheckedOutbox(plain(throughRecords), ofRecords));
        emit(throughSchemas, new CheckedOutbox(plain(throughSchemas), ofSchemas));

        RelayDrain unchecked = new RelayDrain("no registry", context, 0, RelayDrain.DIRECT);
        RelayDrain again = new RelayDrain("no registry, again", context, 0, RelayDrain.DIRECT);
        RelayDrain names = checked("type and payload there", context, ofAny);
        RelayDrain record = checked("record", throughRecords, ofRecords);
        RelayDrain schema = checked("schema", throughSchemas, ofSchemas);
        RelayDrain recordParsed = checked("record, parsed", context, ofRecords);
        RelayDrain schemaParsed = checked("schema, parsed", context, ofSchemas);
        List<RelayDrain> contenders = List.of(again, names, record, schema, recordParsed, schemaParsed);
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
                        Floor.atLeast("of a drain without", pairs.ratio(names).median(), OF_UNCHECKED),
                        Floor.atLeast("with a record", pairs.ratio(record).median(), OF_UNCHECKED),
                        Floor.atLeast("with a schema", pairs.ratio(schema).median(), OF_UNCHECKED)),
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

    /** As the backlog of the other benchmarks, with objects as payloads. */
    private static void emit(BenchContext context, Outbox outbox) throws SQLException {
        BenchOptions options = context.options();
        Backlog backlog = new Backlog(options);
        context.say(
                "emitting %,d events of %d bytes over %,d keys", options.events(), options.payload(), options.keys());
        for (int from = 0; from < options.events(); from += SLICE) {
            List<Event> slice = new ArrayList<>();
            for (int i = from; i < Math.min(options.events(), from + SLICE); i++) {
                slice.add(backlog.event(i, payload(i, options.payload())));
            }
            backlog.emit(context, slice, outbox);
        }
    }

    private static byte[] payload(int i, int size) {
        String head = "{\"orderNo\":\"ORD-" + i + "\",\"amount\":" + i + ",\"currency\":\"EUR\",\"note\":\"";
        String note = "x".repeat(Math.max(0, size - head.length() - 2));
        return (head + note + "\"}").getBytes(StandardCharsets.UTF_8);
    }
}
