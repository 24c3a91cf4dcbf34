package dev.posthorn.spring;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.console.Secrets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.core.env.Environment;

/** How the application's settings of Posthorn are told: what was given and where, without secrets. */
final class SettingsFormat {

    private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("posthorn");
    private static final Pattern SECRET =
            Pattern.compile("posthorn\\.(transports\\..+\\.client\\..+|console\\.tokens\\..+\\.sha256)");
    private static final String MASK = "***";

    private SettingsFormat() {}

    static ObjectNode json(Environment environment) {
        Map<String, ConfigurationProperty> given = new TreeMap<>();
        for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
            if (source instanceof IterableConfigurationPropertySource named) {
                named.stream()
                        .filter(ROOT::isAncestorOf)
                        .forEach(name -> note(given, name, named.getConfigurationProperty(name)));
            }
        }
        List<ObjectNode> values = new ArrayList<>();
        given.forEach((key, property) -> values.add(value(key, property, environment)));
        ObjectNode json = Json.object().put("valid", true);
        json.putArray("faults");
        json.set("values", Json.array(values, value -> value));
        return json;
    }

    /** Sources come with the strongest first. */
    private static void note(
            Map<String, ConfigurationProperty> given,
            ConfigurationPropertyName name,
            @Nullable ConfigurationProperty property) {
        if (property != null) {
            given.putIfAbsent(name.toString(), property);
        }
    }

    private static ObjectNode value(String key, ConfigurationProperty property, Environment environment) {
        String text = environment.resolvePlaceholders(String.valueOf(property.getValue()));
        return Json.object()
                .put("key", key)
                .put("value", SECRET.matcher(key).matches() ? MASK : Secrets.mask(text))
                .put("from", String.valueOf(property.getOrigin()));
    }
}
