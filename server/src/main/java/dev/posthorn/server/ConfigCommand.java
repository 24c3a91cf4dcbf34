package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import dev.posthorn.event.PosthornException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "config",
        description = "Checks and shows what a file and the environment tell posthorn relay --config to do.",
        subcommands = {
            ConfigCommand.Check.class,
            ConfigCommand.Print.class,
            ConfigCommand.Reference.class,
            ConfigCommand.Token.class
        },
        footer = {"  posthorn config check --config posthorn.yaml", "  posthorn config print --config posthorn.yaml"})
final class ConfigCommand {

    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** Which configuration. */
    static final class Source {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @Option(
                names = "--config",
                paramLabel = "FILE",
                description = "The file, in YAML. Environment variables are read too, as a relay would.")
        private @Nullable Path file;

        Configuration read() {
            if (file == null) {
                throw new ParameterException(command.commandLine(), "Which configuration? Give --config FILE.");
            }
            return Configuration.read(file, System.getenv(), List.of());
        }

        boolean isGiven() {
            return file != null;
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
            },
            footer = {"  posthorn config check --config posthorn.yaml"})
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
            },
            footer = {
                "  posthorn config print --config posthorn.yaml --json",
                "  posthorn config print --url http://127.0.0.1:8025"
            })
    static final class Print implements Callable<Integer> {

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Source source = new Source();

        @Mixin
        private Output output = new Output();

        @Mixin
        private Remote remote = new Remote();

        @Override
        public Integer call() throws InterruptedException {
            if (remote.isAsked()) {
                return there();
            }
            Configuration read = source.read();
            output.print(ConfigFormat.json(read), ConfigFormat::text);
            if (!read.faults().isEmpty()) {
                command.commandLine().getErr().println("posthorn: " + ConfigFormat.faults(read.faults()));
                return 1;
            }
            return 0;
        }

        /** A process does not start with faults. */
        private Integer there() throws InterruptedException {
            if (source.isGiven()) {
                throw new ParameterException(
                        command.commandLine(), "--config and --url are two configurations. Give one of them.");
            }
            output.print(remote.http(ANSWER, output::progress).get(Ask.of("config")), ConfigFormat::text);
            return 0;
        }
    }

    @Command(
            name = "reference",
            description = "Prints every key with its variable, its default and what it is for, as Markdown.",
            footer = {"  posthorn config reference > configuration.md"})
    static final class Reference implements Callable<Integer> {

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            output.print(ConfigReference::json, ConfigReference::markdown);
            return 0;
        }
    }

    @Command(
            name = "token",
            description =
                    "Makes a token for the HTTP API and tells what to write into the file. Nothing is kept here: whoever loses"
                            + " the token makes another one. Connects to nothing.",
            footer = {"  posthorn config token ann --role operator"})
    static final class Token implements Callable<Integer> {

        @Parameters(
                paramLabel = "NAME",
                description = "Whose it is; what is changed with it is recorded under this name.")
        private String name = "";

        @Option(
                names = "--role",
                paramLabel = "ROLE",
                defaultValue = "viewer",
                description = "What it may do: metrics, viewer, operator or admin. Default: ${DEFAULT-VALUE}.")
        private Role role = Role.VIEWER;

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            String token = Tokens.fresh();
            Tokens.Token kept;
            try {
                kept = new Tokens.Token(name, role, Tokens.hashOf(token));
            } catch (IllegalArgumentException invalid) {
                throw new PosthornException(String.valueOf(invalid.getMessage()), invalid);
            }
            ObjectNode made = Json.object()
                    .put("name", kept.name())
                    .put("role", role.word())
                    .put("token", token)
                    .put("sha256", kept.sha256());
            output.print(made, Token::text);
            return 0;
        }

        private static String text(JsonNode made) {
            return String.format(
                    """
                    Token, for %s alone, who sets it as POSTHORN_TOKEN:
                      %s
                    For the file of each process that answers:
                      http:
                        tokens:
                          %s: {role: %s, sha256: %s}""",
                    made.path("name").asText(),
                    made.path("token").asText(),
                    made.path("name").asText(),
                    made.path("role").asText(),
                    made.path("sha256").asText());
        }
    }
}
