package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.ChangedFormat;
import dev.posthorn.postgres.PostgresDestinations;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

@Command(
        name = "redirect",
        description =
                "Confirms that a route publishes to another address or prefix from now on. A relay that is configured"
                        + " so is refused until then, and names the whole command.",
        footer = {"  posthorn routes redirect orders --to 'kafka://broker:9092, prefix shop' --reason 'a new cluster'"})
final class RouteRedirect implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    @Mixin
    private Database database = new Database();

    @Mixin
    private NotRemote unusedUrl = new NotRemote("Run it with --database-url.");

    @Parameters(paramLabel = "NAME", description = "The route.")
    private String name = "";

    @Option(
            names = "--to",
            required = true,
            paramLabel = "PLACE",
            description =
                    "Where it publishes from now on: the address without secrets and the prefix, as the refused relay"
                            + " names them.")
    private String place = "";

    @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
    private String reason = "";

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        boolean changed;
        try (HikariDataSource source = database.connect(ANSWER)) {
            changed = new PostgresDestinations(source, database.schema()).redirect(name, place, reason);
        }
        output.print(
                ChangedFormat.json("redirect", "route", name, changed),
                answer -> ChangedText.of(answer, "route", "publishes there already"));
        return 0;
    }
}
