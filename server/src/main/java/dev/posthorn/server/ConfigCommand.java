package dev.posthorn.server;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        description = "Checks and shows what a file and the environment tell posthorn relay --config to do.",
        subcommands = {ConfigCommand.Check.class, ConfigCommand.Print.class, ConfigCommand.Reference.class})
final class ConfigCommand {

    /** Which configuration. */
    static final class Source {

        @Option(
                names = "--config",
                required = true,
                paramLabel = "FILE",
                description = "The file, in YAML. Environment variables are read too, as a relay would.")
        private Path file = Path.of("posthorn.yaml");

        Configuration read() {
            return Configuration.read(file, System.getenv(), List.of());
        }
    }

    @Command(
            name = "check",
            description =
                    "Names every fault at once: where it is, which key and value, and what is allowed. Connects to"
                            + " nothing.",
            exitCodeList = {
                "0:there is no fault",
                "1:there are faults",
                "2:it was asked for in a way that makes no sense"
            })
    static final class Check implements Callable<Integer> {

        @Mixin
        private Source source = new Source();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            List<Fault> faults = source.read().faults();
            output.print(
                    () -> ConfigFormat.json(faults),
                    () -> faults.isEmpty() ? "All is well." : ConfigFormat.faults(faults));
            return faults.isEmpty() ? 0 : 1;
        }
    }

    @Command(
            name = "print",
            description = "Shows every value and where it came from: default, profile, file or environment. Secrets are"
                    + " masked.",
            exitCodeList = {
                "0:there is no fault",
                "1:there are faults",
                "2:it was asked for in a way that makes no sense"
            })
    static final class Print implements Callable<Integer> {

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Source source = new Source();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            Configuration read = source.read();
            output.print(() -> ConfigFormat.json(read), () -> ConfigFormat.text(read));
            if (!read.faults().isEmpty()) {
                command.commandLine().getErr().println("posthorn: " + ConfigFormat.faults(read.faults()));
                return 1;
            }
            return 0;
        }
    }

    @Command(
            name = "reference",
            description = "Prints every key with its variable, its default and what it is for, as Markdown.")
    static final class Reference implements Callable<Integer> {

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            output.print(ConfigReference::json, ConfigReference::markdown);
            return 0;
        }
    }
}
