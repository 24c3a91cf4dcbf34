package dev.posthorn.benchmarks;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code posthorn bench}: measures on this machine. The result goes to standard output, progress to standard error. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measure Posthorn beside what it is compared with; \"bench list\" names the benchmarks.",
        footer = {"  posthorn bench list", "  posthorn bench drain --json"})
public final class BenchCommand implements Callable<Integer> {

    private static final List<Benchmark> BENCHMARKS = List.of(
            new Drain(),
            new Cost(),
            new HeldXmin(),
            new Growth(),
            new Latency(),
            new Emit(),
            new HotKey(),
            new Relays(),
            new TransportBench(),
            new Consume(),
            new Tenants(),
            new RegistryBench(),
            new ConsoleBench());

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli
    private CommandSpec spec;

    @Parameters(paramLabel = "NAME", description = "A benchmark, or \"list\".")
    @SuppressWarnings("NullAway.Init") // set by picocli
    private String name;

    @Option(names = "--json", description = "Print one JSON object instead of a table.")
    private boolean json;

    @Mixin
    @SuppressWarnings("NullAway.Init") // set by picocli
    private SizeOptions sizes;

    @Option(
            names = "--database-url",
            description = "JDBC URL of a database to use instead of an embedded one; its schema posthorn_bench is"
                    + " dropped, and databases posthorn_bench_* beside it are created and dropped. Needs a"
                    + " superuser.")
    private @Nullable String databaseUrl;

    /** For picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() throws SQLException {
        PrintStream out = System.out;
        if (name.equals("list")) {
            PrintWriter told = spec.commandLine().getOut();
            if (json) {
                told.println(ResultJson.list(BENCHMARKS));
            } else {
                BENCHMARKS.forEach(one -> told.printf("%-12s %s%n", one.name(), one.summary()));
            }
            told.flush();
            return 0;
        }
        Benchmark benchmark = find();
        try (BenchContext context = open(options(benchmark))) {
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

    private BenchOptions options(Benchmark benchmark) {
        try {
            return sizes.over(benchmark.standard());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private BenchContext open(BenchOptions options) throws SQLException {
        Consumer<String> progress = System.err::println;
        return databaseUrl == null
                ? BenchContext.embedded(options, progress)
                : BenchContext.at(databaseUrl, options, progress);
    }
}
