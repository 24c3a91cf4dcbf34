package dev.posthorn.registry;

import java.util.LinkedHashMap;
import java.util.Map;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;

/**
 * What stands behind a key.
 *
 * @param text empty if it is a list or has keys of its own
 */
record YamlValue(Node node, String text) {

    static Map<String, YamlValue> of(MappingNode mapping) {
        Map<String, YamlValue> values = new LinkedHashMap<>();
        for (NodeTuple entry : mapping.getValue()) {
            Node value = entry.getValueNode();
            values.put(textOf(entry.getKeyNode()), new YamlValue(value, textOf(value)));
        }
        return values;
    }

    private static String textOf(Node node) {
        return node instanceof ScalarNode scalar ? scalar.getValue() : "";
    }
}
