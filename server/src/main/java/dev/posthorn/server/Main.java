package dev.posthorn.server;

import dev.posthorn.benchmarks.BenchCommand;
import dev.posthorn.demo.DemoCommand;
import dev.posthorn.demo.Terminal;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.relay.RouteStart;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help.Ansi;
import picocli.CommandLine.ScopeType;

/** The command line. */
@Command(
        name = "posthorn",
        description = "What Postgres committed, the world hears: once, in order, and whatever breaks in between.",
        subcommands = {
            RelayCommand.class,
            ConfigCommand.class,
            RegistryCommand.class,
            HealthcheckCommand.class,
            StatusCommand.class,
            RoutesCommand.class,
            DestinationsCommand.class,
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
            CompletionCommand.class,
            ManualCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class
        },
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        versionProvider = Version.class,
        sortOptions = false,
        synopsisSubcommandLabel = "COMMAND",
        usageHelpAutoWidth = true,
        footerHeading = "%nExamples:%n",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {"0:done", "1:it failed", "2:it was asked for in a way that makes no sense"},
        footer = {
            "  posthorn demo",
            "  posthorn relay --transport amqp://relay@rabbit/shop",
            "  posthorn status",
            "  posthorn doctor"
        })
public final class Main {

    @CommandLine.Option(
            names = {"-v", "--verbose"},
            scope = ScopeType.INHERIT,
            description = "Logs more, and shows the stack trace of an error.")
    boolean verbose;

    public static void main(String[] args) {
        Logs.configure(Arrays.asList(args), System.getenv());
        PrintWriter out = new PrintWriter(System.out, true, StandardCharsets.UTF_8);
        PrintWriter err = new PrintWriter(System.err, true, StandardCharsets.UTF_8);
        Ansi colours = System.getenv("NO_COLOR") == null && Terminal.isStandardOutput() ? Ansi.ON : Ansi.OFF;
        int code = commandLine(out, err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(colours))
                .execute(args);
        out.flush();
        System.exit(code);
    }

    /** Runs one command, without colours, and returns its exit code. */
    public static int run(List<String> args, PrintWriter out, PrintWriter err) {
        return commandLine(out, err).execute(args.toArray(new String[0]));
    }

    static CommandLine commandLine(PrintWriter out, PrintWriter err) {
        Failures failures = new Failures();
        return new CommandLine(new Main())
                .setOut(out)
                .setErr(err)
                .setColorScheme(CommandLine.Help.defaultColorScheme(Ansi.OFF))
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(Duration.class, new DurationConverter())
                .registerConverter(RouteStart.class, new RouteStartConverter())
                .registerConverter(DatabaseUrl.class, new DatabaseUrlConverter())
                .setParameterExceptionHandler(failures)
                .setExecutionExceptionHandler(failures);
    }
}
