package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.event.PosthornException;
import dev.posthorn.registry.EventType;
import dev.posthorn.registry.Mode;
import dev.posthorn.registry.Registry;
import dev.posthorn.registry.RegistryFile;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
        name = "registry",
        description = "Looks at the event types that events are checked against, in a file or in a process.",
        subcommands = {RegistryCommand.Listing.class, RegistryCommand.Check.class},
        footer = {
            "  posthorn registry list --url http://127.0.0.1:8025",
            "  posthorn registry check --file registry.yaml"
        })
final class RegistryCommand {

    /** Which registry. */
    static final class Source {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @ArgGroup(multiplicity = "0..1")
        private Place place = new Place();

        static final class Place {

            @Option(names = "--file", paramLabel = "FILE", description = "A registry, in YAML.")
            private @Nullable Path file;

            @Option(
                    names = "--config",
                    paramLabel = "FILE",
                    description = "A configuration whose registry.file names it.")
            private @Nullable Path config;
        }

        boolean isNamed() {
            return place.file != null || place.config != null;
        }

        RegistryFile read() {
            if (place.file != null) {
                return RegistryFile.read(place.file);
            }
            if (place.config == null) {
                throw new ParameterException(command.commandLine(), "Which registry? Name it with --file or --config.");
            }
            return RegistryFile.read(named(place.config));
        }

        private static Path named(Path config) {
            return Configuration.read(config, System.getenv(), List.of())
                    .text("registry", "file")
                    .map(Path::of)
                    .orElseThrow(() -> new PosthornException(
                            config + " names no registry. Set registry.file in it, or name the registry with --file."));
        }
    }

    @Command(
            name = "list",
            description =
                    "Lists every event type: domain, type, version, aggregate, contract, and what differs for it. From a file,"
                            + " or as a process with --url checks events against them.",
            footer = {
                "  posthorn registry list --file registry.yaml",
                "  posthorn registry list --url http://127.0.0.1:8025"
            })
    static final class Listing implements Callable<Integer> {

        private static final Duration ANSWER = Duration.ofSeconds(60);

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Source source = new Source();

        @Mixin
        private Remote remote = new Remote();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            ObjectNode registry = registry();
            Output.Items items = output.items("types", "There are no event types.");
            for (JsonNode type : Fields.each(registry, "types")) {
                items.add((ObjectNode) type, RegistryCommand::text);
            }
            items.end();
            return 0;
        }

        private ObjectNode registry() throws InterruptedException {
            if (!remote.isAsked()) {
                return json(source.read().registry(Mode.STRICT));
            }
            if (source.isNamed()) {
                throw new ParameterException(
                        command.commandLine(), "--url and a file are two places to look. Give one of them.");
            }
            return remote.http(ANSWER, (done, total) -> {}).get(Ask.of("registry"));
        }
    }

    @Command(
            name = "check",
            description = "Names every fault of the registry and its schemas at once, each with its line.",
            exitCodeList = {
                "0:there is no fault",
                "1:there are faults",
                "2:it was asked for in a way that makes no sense"
            },
            footer = {"  posthorn registry check --file registry.yaml"})
    static final class Check implements Callable<Integer> {

        @Mixin
        private Source source = new Source();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            RegistryFile file = source.read();
            output.print(() -> json(file), () -> text(file));
            return file.faults().isEmpty() ? 0 : 1;
        }

        private static ObjectNode json(RegistryFile file) {
            ObjectNode json = Json.object()
                    .put("valid", file.faults().isEmpty())
                    .put("types", file.types().size());
            json.set("faults", Json.strings(file.faults()));
            return json;
        }

        private static String text(RegistryFile file) {
            return file.faults().isEmpty()
                    ? "All is well: " + file.types().size() + " event types."
                    : String.join("\n", file.faults());
        }
    }

    /** For the interface of programs too. */
    static ObjectNode json(Registry registry) {
        ObjectNode json = Json.object().put("mode", registry.mode().text());
        json.set("types", Json.array(registry.types(), RegistryCommand::json));
        return json;
    }

    private static ObjectNode json(EventType type) {
        return Json.object()
                .put("domain", type.domain())
                .put("type", type.type())
                .put("version", type.version())
                .put("aggregate_type", type.aggregateType())
                .put("contract", type.contract().describe())
                .put("retry", type.policy().retry().map(Object::toString).orElse(null))
                .put("mode", type.policy().mode().map(Mode::text).orElse(null))
                .put("topic", type.policy().topic().orElse(null));
    }

    private static String text(JsonNode type) {
        return type.path("domain").asText() + "/" + type.path("type").asText() + " version "
                + type.path("version").asText()
                + Fields.after(", aggregate ", type, "aggregate_type")
                + ", payload " + type.path("contract").asText()
                + Fields.after(", retry ", type, "retry")
                + Fields.after(", mode ", type, "mode")
                + Fields.after(", topic ", type, "topic");
    }
}
