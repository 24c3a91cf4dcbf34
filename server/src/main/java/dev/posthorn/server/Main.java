package dev.posthorn.server;

import dev.posthorn.benchmarks.BenchCommand;
import dev.posthorn.demo.DemoCommand;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.relay.RouteStart;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ScopeType;

/** The command line. */
@Command(
        name = "posthorn",
        description = "What Postgres committed, the world hears: once, in order, and whatever breaks in between.",
        subcommands = {
            RelayCommand.class,
            ConfigCommand.class,
            HealthcheckCommand.class,
            StatusCommand.class,
            RoutesCommand.class,
            DeadCommand.class,
            ConsumersCommand.class,
            ReplayCommand.class,
            EventsCommand.class,
            KeysCommand.class,
            RelaysCommand.class,
            AuditCommand.class,
            PruneCommand.class,
            ArchiveCommand.class,
            RebaseCommand.class,
            DoctorCommand.class,
            EmitCommand.class,
            WireTestCommand.class,
            SchemaCommand.class,
            DemoCommand.class,
            BenchCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        },
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:it failed", "2:it was asked for in a way that makes no sense"})
public final class Main {

    @CommandLine.Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Logs more, and shows the stack trace of an error.")
    boolean verbose;

    public static void main(String[] args) {
        Logs.configure(Arrays.asList(args));
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        int code = run(List.of(args), out, err);
        out.flush();
        System.exit(code);
    }

    /** Runs one command and returns its exit code. */
    static int run(List<String> args, PrintWriter out, PrintWriter err) {
        return commandLine(out, err).execute(args.toArray(new String[0]));
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        Failures failures = new Failures();
        return new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, new DurationConverter())
                .registerConverter(RouteStart.class, new RouteStartConverter())
                .registerConverter(DatabaseUrl.class, new DatabaseUrlConverter())
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }
}
