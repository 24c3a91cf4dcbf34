package dev.posthorn.benchmarks;

import java.io.PrintStream;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code posthorn bench}: measures on this machine. The result goes to standard output, progress to standard error. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measure Posthorn beside what it is compared with; \"bench list\" names the benchmarks.")
public final class BenchCommand implements Callable<Integer> {

    private static final List<Benchmark> BENCHMARKS = List.of(new Drain(), new Cost());

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "A benchmark, or \"list\".")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean json;

    @Option(names = "--runs", defaultValue = "3", description = "Measured rounds after the warm-up (${DEFAULT-VALUE}).")
    private int runs;

    @Option(names = "--events", defaultValue = "200000", description = "Events in the log (${DEFAULT-VALUE}).")
    private int events;

    @Option(names = "--payload", defaultValue = "500", description = "Bytes of each payload (${DEFAULT-VALUE}).")
    private int payload;

    @Option(
            names = "--keys",
            defaultValue = "1000",
            description = "Keys the events are spread over (${DEFAULT-VALUE}).")
    private int keys;

    @Option(
            names = "--batch",
            split = ",",
            defaultValue = "500,5000",
            description = "Rows per statement of the plain read, one or more (${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private List<Integer> batches;

    @Option(
            names = "--database-url",
            description = "JDBC URL of a database to use instead of an embedded one; its schema posthorn_bench is"
                    + " dropped. Needs a superuser.")
    private @Nullable String databaseUrl;

    /** For picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() throws SQLException {
        PrintStream out = System.out;
        if (name.equals("list")) {
            BENCHMARKS.forEach(one -> out.printf("%-12s %s%n", one.name(), one.summary()));
            return 0;
        }
        Benchmark benchmark = find();
        try (BenchContext context = open()) {
            BenchResult result = benchmark.run(context);
            out.println(json ? ResultJson.of(result) : ResultText.of(result));
        }
        return 0;
    }

    private Benchmark find() {
        return BENCHMARKS.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new ParameterException(
                        spec.commandLine(), "There is no benchmark " + name + "; \"bench list\" names them."));
    }

    private BenchOptions options() {
        try {
            return new BenchOptions(runs, events, payload, keys, batches);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private BenchContext open() throws SQLException {
        Consumer<String> progress = System.err::println;
        BenchOptions options = options();
        return databaseUrl == null
                ? BenchContext.embedded(options, progress)
                : BenchContext.at(databaseUrl, options, progress);
    }
}
