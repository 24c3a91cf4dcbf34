package dev.posthorn.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/** Reads a file of settings in YAML. Values stay texts, so that every fault can be told with its line. */
final class ConfigFile {

    private final String name;
    private final List<Given> given = new ArrayList<>();
    private final List<Fault> faults = new ArrayList<>();

    private ConfigFile(String name) {
        this.name = name;
    }

    static ConfigFile read(Path file) {
        ConfigFile read = new ConfigFile(String.valueOf(file.getFileName()));
        try {
            read.parse(Files.readString(file));
        } catch (IOException unreadable) {
            read.faults.add(new Fault(
                    file.toString(), "", "", "the file can not be read; name one that exists: " + unreadable));
        }
        return read;
    }

    static ConfigFile parse(String name, String text) {
        ConfigFile read = new ConfigFile(name);
        read.parse(text);
        return read;
    }

    List<Given> given() {
        return given;
    }

    List<Fault> faults() {
        return faults;
    }

    private void parse(String text) {
        try {
            new Compose(LoadSettings.builder().setLabel(name).build())
                    .composeString(text)
                    .ifPresent(root -> {
                        if (!isEmpty(root)) {
                            walk(root, List.of());
                        }
                    });
        } catch (MarkedYamlEngineException broken) {
            String where =
                    name + broken.getProblemMark().map(mark -> ":" + line(mark)).orElse("");
            faults.add(new Fault(where, "", "", "this is not YAML: " + broken.getProblem()));
        } catch (YamlEngineException broken) {
            faults.add(new Fault(name, "", "", "this is not YAML: " + broken.getMessage()));
        }
    }

    private void walk(Node node, List<String> key) {
        if (!(node instanceof MappingNode mapping)) {
            faults.add(new Fault(where(node), Given.path(key), text(node), "here come further keys: " + children(key)));
            return;
        }
        Map<String, Node> seen = new HashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            String word = entry.getKeyNode() instanceof ScalarNode scalar ? scalar.getValue() : "?";
            List<String> path = new ArrayList<>(key);
            path.add(word);
            if (seen.putIfAbsent(word, entry.getKeyNode()) != null) {
                faults.add(new Fault(
                        where(entry.getKeyNode()),
                        Given.path(path),
                        "",
                        "it stands here twice, first at " + where(Objects.requireNonNull(seen.get(word)))));
            } else {
                entry(entry, List.copyOf(path));
            }
        }
    }

    private void entry(NodeTuple entry, List<String> key) {
        Optional<Setting> setting = Settings.of(key);
        if (setting.isPresent()) {
            value(entry, key, setting.get());
        } else if (Settings.under(key).isEmpty()) {
            faults.add(new Fault(where(entry.getKeyNode()), Given.path(key), "", Suggestions.unknown(key)));
        } else {
            walk(entry.getValueNode(), key);
        }
    }

    private void value(NodeTuple entry, List<String> key, Setting setting) {
        Node node = entry.getValueNode();
        Origin origin = Origin.file(name, line(entry.getKeyNode().getStartMark()));
        if (isEmpty(node)) {
            faults.add(new Fault(
                    origin.where(),
                    Given.path(key),
                    "",
                    "it has no value. Write " + setting.form().allowed() + ", or leave the key out"));
        } else if (node instanceof ScalarNode scalar) {
            given.add(new Given(
                    key, setting.form().list() ? Form.split(scalar.getValue()) : List.of(scalar.getValue()), origin));
        } else if (node instanceof SequenceNode sequence
                && setting.form().list()
                && sequence.getValue().stream().allMatch(ScalarNode.class::isInstance)) {
            given.add(new Given(
                    key,
                    sequence.getValue().stream()
                            .map(item -> ((ScalarNode) item).getValue())
                            .toList(),
                    origin));
        } else {
            faults.add(new Fault(
                    origin.where(),
                    Given.path(key),
                    "",
                    "it can not be several or have keys. Write "
                            + setting.form().allowed()));
        }
    }

    private static boolean isEmpty(Node node) {
        return node.getTag().equals(Tag.NULL)
                || (node instanceof SequenceNode sequence && sequence.getValue().isEmpty());
    }

    private static String text(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }

    private static String children(List<String> key) {
        return String.join(
                ", ",
                Settings.under(key).stream()
                        .map(setting -> setting.words().get(key.size()))
                        .map(word -> word.equals("*") ? "a name" : word)
                        .distinct()
                        .toList());
    }

    private String where(Node node) {
        return name + ":" + line(node.getStartMark());
    }

    private static int line(Optional<Mark> mark) {
        return mark.map(ConfigFile::line).orElse(1);
    }

    private static int line(Mark mark) {
        return mark.getLine() + 1;
    }
}
