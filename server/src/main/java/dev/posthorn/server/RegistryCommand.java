package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.event.PosthornException;
import dev.posthorn.registry.EventType;
import dev.posthorn.registry.Mode;
import dev.posthorn.registry.Registry;
import dev.posthorn.registry.RegistryFile;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "registry",
        description = "Looks at the event types that events are checked against. Connects to nothing.",
        subcommands = {RegistryCommand.Listing.class, RegistryCommand.Check.class},
        footer = {"  posthorn registry list --file registry.yaml", "  posthorn registry check --file registry.yaml"})
final class RegistryCommand {

    /** Which registry. */
    static final class Source {

        @ArgGroup(multiplicity = "1")
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

        RegistryFile read() {
            return RegistryFile.read(place.file != null ? place.file : named());
        }

        private Path named() {
            Path config = place.config == null ? Path.of("posthorn.yaml") : place.config;
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
                    "Lists every event type: domain, type, version, aggregate, contract, and what differs for it.",
            footer = {"  posthorn registry list --file registry.yaml"})
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Source source = new Source();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            Registry registry = source.read().registry(Mode.STRICT);
            try (Output.Items items = output.items("types", "There are no event types.")) {
                registry.types().forEach(type -> items.add(() -> json(type), () -> text(type)));
            }
            return 0;
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
    static ObjectNode json(EventType type) {
        return Json.object()
                .put("domain", type.domain())
                .put("type", type.type())
                .put("version", type.version())
                .put("aggregate_type", type.aggregateType())
                .put("contract", type.contract().describe())
                .put("retry", type.policy().retry().map(Object::toString).orElse(null))
                .put("mode", type.policy().mode().map(Mode::text).orElse(null));
    }

    private static String text(EventType type) {
        return type.name()
                + (type.aggregateType() == null ? "" : ", aggregate " + type.aggregateType())
                + ", payload " + type.contract().describe()
                + type.policy().retry().map(retry -> ", retry " + retry).orElse("")
                + type.policy().mode().map(mode -> ", mode " + mode.text()).orElse("");
    }
}
