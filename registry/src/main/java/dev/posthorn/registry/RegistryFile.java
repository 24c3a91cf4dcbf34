package dev.posthorn.registry;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.TypeTopics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Event types from a file in YAML: a list under {@code types}, each with {@code domain} and {@code type}, and if they like
 * {@code version}, {@code aggregate}, {@code payload} ({@code any} or {@code optional}), {@code schema} (a file beside this
 * one), {@code retry}, {@code mode} and {@code topic}.
 *
 * <p>Needs {@code org.snakeyaml:snakeyaml-engine}, and schemas what {@link JsonSchemaContract} needs.
 */
public final class RegistryFile {

    private static final Set<String> KEYS =
            Set.of("domain", "type", "version", "aggregate", "payload", "schema", "retry", "mode", "topic");

    private final Path folder;
    private final String name;
    private final List<EventType> types = new ArrayList<>();
    private final List<String> faults = new ArrayList<>();

    private RegistryFile(Path file) {
        this.folder = Objects.requireNonNull(file.toAbsolutePath().getParent());
        this.name = String.valueOf(file.getFileName());
    }

    /** What the file says, and everything that is wrong with it. */
    public static RegistryFile read(Path file) {
        RegistryFile read = new RegistryFile(file);
        try {
            read.parse(Files.readString(file));
        } catch (IOException unreadable) {
            read.faults.add(file + ": it can not be read; name a file that exists: " + unreadable);
        } catch (MarkedYamlEngineException broken) {
            String line = broken.getProblemMark()
                    .map(mark -> ":" + (mark.getLine() + 1))
                    .orElse("");
            read.faults.add(read.name + line + ": this is not YAML: " + broken.getProblem());
        } catch (YamlEngineException broken) {
            read.faults.add(read.name + ": this is not YAML: " + broken.getMessage());
        }
        return read;
    }

    public List<EventType> types() {
        return List.copyOf(types);
    }

    /** Each with file, line, what is wrong and what is allowed. */
    public List<String> faults() {
        return List.copyOf(faults);
    }

    /** Throws {@link PosthornException} with every fault if there is one. */
    public Registry registry(Mode mode) {
        if (!faults.isEmpty()) {
            throw new PosthornException("The registry has faults: " + String.join("; ", faults) + ".");
        }
        return Registry.of(mode, types);
    }

    private void parse(String text) {
        Node root = new Compose(LoadSettings.builder().setLabel(name).build())
                .composeString(text)
                .orElse(null);
        @Nullable Map<String, YamlValue> top = root instanceof MappingNode mapping ? YamlValue.of(mapping) : null;
        if (top == null || !top.keySet().equals(Set.of("types"))) {
            faults.add(name + ":1: write one key, types, with a list of event types");
            return;
        }
        Node list = Objects.requireNonNull(top.get("types")).node();
        if (!(list instanceof SequenceNode sequence)) {
            fault(list, "types is no list");
            return;
        }
        Set<String> seen = new HashSet<>();
        for (Node item : sequence.getValue()) {
            if (item instanceof MappingNode mapping) {
                type(mapping, seen);
            } else {
                fault(item, "this is no event type; write its keys");
            }
        }
    }

    private void type(MappingNode mapping, Set<String> seen) {
        Map<String, YamlValue> keys = YamlValue.of(mapping);
        keys.forEach((key, value) -> {
            if (!KEYS.contains(key)) {
                fault(
                        value.node(),
                        "there is no key " + key + "; here may stand: "
                                + String.join(", ", KEYS.stream().sorted().toList()));
            }
        });
        int before = faults.size();
        String domain = required(mapping, keys, "domain");
        String type = required(mapping, keys, "type");
        int version = read(keys, "version", RegistryFile::version).orElse(1);
        Contract contract = contract(keys);
        Optional<RetryPolicy> retry = read(keys, "retry", RetryPolicy::named);
        Optional<Mode> mode = read(keys, "mode", Mode::named);
        Optional<String> topic =
                read(keys, "topic", text -> TypeTopics.checked(text).toString());
        if (faults.size() > before) {
            return;
        }
        EventType known = EventType.of(domain, type).version(version).payload(contract);
        YamlValue aggregate = keys.get("aggregate");
        known = aggregate == null ? known : known.aggregate(aggregate.text());
        known = retry.isPresent() ? known.retry(retry.get()) : known;
        known = mode.isPresent() ? known.mode(mode.get()) : known;
        known = topic.isPresent() ? known.topic(topic.get()) : known;
        if (!seen.add(known.name())) {
            fault(mapping, known.name() + " is there twice; remove one, or give it another version");
        }
        types.add(known);
    }

    private Contract contract(Map<String, YamlValue> keys) {
        Contract present = read(keys, "payload", RegistryFile::payload).orElse(Contract.ANY);
        Optional<Contract> schema = read(keys, "schema", file -> {
            if (keys.containsKey("payload")) {
                throw new PosthornException("a schema says more than payload does; leave that out");
            }
            try {
                return JsonSchemaContract.of(file, Files.readString(folder.resolve(file)));
            } catch (IOException unreadable) {
                throw new PosthornException("the file can not be read: " + unreadable);
            }
        });
        return schema.orElse(present);
    }

    private static Contract payload(String word) {
        return switch (word) {
            case "any" -> Contract.ANY;
            case "optional" -> Contract.OPTIONAL;
            default -> throw new PosthornException("write any or optional");
        };
    }

    private static int version(String text) {
        if (!text.matches("[1-9][0-9]{0,8}")) {
            throw new PosthornException("write a whole number from 1 on");
        }
        return Integer.parseInt(text);
    }

    private String required(MappingNode mapping, Map<String, YamlValue> keys, String key) {
        YamlValue value = keys.get(key);
        if (value == null || value.text().isBlank()) {
            fault(mapping, "it has no " + key);
            return "";
        }
        return value.text();
    }

    private <T> Optional<T> read(Map<String, YamlValue> keys, String key, Function<String, ? extends T> form) {
        YamlValue value = keys.get(key);
        if (value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(form.apply(value.text()));
        } catch (PosthornException | IllegalArgumentException wrong) {
            String why = String.valueOf(wrong.getMessage()).replaceFirst("\\.$", "");
            fault(value.node(), key + " = \"" + value.text() + "\": " + why);
            return Optional.empty();
        }
    }

    private void fault(Node node, String what) {
        int line = node.getStartMark().map(Mark::getLine).orElse(0) + 1;
        faults.add(name + ":" + line + ": " + what);
    }
}
