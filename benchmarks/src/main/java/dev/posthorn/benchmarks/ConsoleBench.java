package dev.posthorn.benchmarks;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.posthorn.console.Console;
import dev.posthorn.console.ConsoleSetup;
import dev.posthorn.console.Retention;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import dev.posthorn.operations.Health;
import dev.posthorn.postgres.InboxRetention;
import dev.posthorn.postgres.Schema;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;

/** How long the server takes for each page of the console, when the log is large and much went wrong. */
final class ConsoleBench implements Benchmark {

    private static final double PROMISED = 300;
    private static final int EVENTS = 5_000_000;
    private static final int KEYS = 100_000;
    private static final int PAYLOAD = 200;
    private static final int RUNS = 5;
    private static final int WARM = 2;
    private static final String UNIT = "ms";
    private static final String FIRST_LOOK = "overview, its look";

    @Override
    public String name() {
        return "console";
    }

    @Override
    public String summary() {
        return "the server's time for each page of the console, on a large log";
    }

    @Override
    public BenchOptions standard() {
        BenchOptions standard = BenchOptions.standard();
        return new BenchOptions(RUNS, EVENTS, PAYLOAD, KEYS, standard.each(), standard.variants());
    }

    @Override
    public BenchResult run(BenchContext context) throws SQLException {
        FullLog log = new FullLog(context);
        log.fill();
        List<BenchResult.Line> lines = new ArrayList<>();
        try (Console console = open(context.pool(), context.schema())) {
            for (ConsolePage page : ConsolePage.all(context, log)) {
                lines.add(line(page.name(), context, () -> page.ask(console)));
            }
        }
        ConsolePage overview = new ConsolePage(FIRST_LOOK, "/v1/overview", "");
        lines.add(line(FIRST_LOOK, context, () -> {
            try (Console console = open(context.pool(), context.schema())) {
                overview.ask(console);
            }
        }));
        lines.sort(Comparator.comparingDouble(line -> -line.samples().median()));
        double slowest = lines.get(0).samples().median();
        Map<String, Object> notes = new LinkedHashMap<>();
        notes.put("slowest", lines.get(0).contender());
        notes.put("events", log.events());
        notes.put("keys", context.options().keys());
        notes.putAll(context.environment());
        return new BenchResult(
                name(),
                new BenchResult.Headline(UNIT, slowest, PROMISED),
                context.options().runs(),
                lines,
                List.of(Floor.atMost("ms for the slowest page", slowest, PROMISED)),
                notes);
    }

    /** Returns a console that looks at this schema. */
    static Console open(DataSource database, Schema schema) {
        Duration minute = Duration.ofMinutes(1);
        Health health = new Health(Clock.systemUTC(), new Health.Limits(minute, minute, minute, Optional.empty()));
        Console console = new Console(new ConsoleSetup(
                Tokens.of(List.of(new Tokens.Token("bench", Role.ADMIN, Tokens.hashOf(ConsolePage.TOKEN)))),
                health::report,
                () -> "",
                new ConsoleSetup.ProcessFacts(
                        "bench",
                        JsonNodeFactory.instance::objectNode,
                        new Retention(Duration.ofDays(30), null, InboxRetention.standard(), Duration.ZERO),
                        Optional.empty())));
        console.open(database, schema);
        return console;
    }

    private static BenchResult.Line line(String name, BenchContext context, Runnable ask) {
        List<Double> times = new ArrayList<>();
        for (int i = 0; i < WARM + context.options().runs(); i++) {
            long start = System.nanoTime();
            ask.run();
            if (i >= WARM) {
                times.add((System.nanoTime() - start) / 1e6);
            }
        }
        Samples samples = new Samples(times);
        context.say("%-26s %8.1f ms", name, samples.median());
        return new BenchResult.Line(name, UNIT, samples);
    }
}
