package dev.posthorn.benchmarks;

import dev.posthorn.benchmarks.BrokerKind.RunningBroker;
import dev.posthorn.event.Event;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** How fast a relay brings a backlog to a broker, beside the broker's own client with the same bytes. */
final class TransportBench implements Benchmark {

    private static final String UNIT = "events/s";

    @Override
    public String name() {
        return "transport";
    }

    @Override
    public String summary() {
        return "relay to a real broker beside the broker's own client; --kind says which";
    }

    /** So many that a run takes seconds: in shorter ones the compiler takes most of what two cores have. */
    @Override
    public BenchOptions standard() {
        return BenchOptions.standard().withEvents(400_000);
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        BrokerKind kind = BrokerKind.named(context.options().variants().kind());
        context.say("starting %s", kind.name());
        try (RunningBroker broker = kind.start()) {
            Backlog backlog = new Backlog(context.options());
            List<Event> events = new ArrayList<>();
            for (int i = 0; i < context.options().events(); i++) {
                events.add(backlog.event(i));
            }
            backlog.emit(context, events);
            TransportRelay relay = new TransportRelay(context, broker);
            PlainPublish plain = new PlainPublish(context.options(), events, broker);
            Race race = new Race(context, List.of(relay, plain));
            race.run();
            context.say("measuring the way of single events");
            Hops hops = Hops.measure(broker);
            return result(context, kind, race, relay, plain, hops);
        }
    }

    private BenchResult result(
            BenchContext context, BrokerKind kind, Race race, Contender relay, Contender plain, Hops hops)
            throws SQLException {
        double ours = race.speed(relay).median();
        double client = race.speed(plain).median();
        List<BenchResult.Line> lines = List.of(
                new BenchResult.Line(relay.name() + " to " + kind.name(), UNIT, race.speed(relay)),
                new BenchResult.Line(plain.name(), UNIT, race.speed(plain)),
                new BenchResult.Line("publish to receive, p50", "ms", hops.p50()),
                new BenchResult.Line("publish to receive, p99", "ms", hops.p99()));
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("kind", kind.name());
        notes.put("events", context.options().events());
        notes.put("payload_bytes", context.options().payload());
        notes.put("keys", context.options().keys());
        notes.put("verified", "every run: each event confirmed once, in the order of its key");
        notes.putAll(context.environment());
        List<Floor> floors = kind.promised() == 0
                ? List.of()
                : List.of(Floor.atLeast("of the broker's own client", ours / client, kind.promised()));
        return new BenchResult(
                name(),
                new BenchResult.Headline(UNIT, ours, client),
                context.options().runs(),
                lines,
                floors,
                notes);
    }
}
