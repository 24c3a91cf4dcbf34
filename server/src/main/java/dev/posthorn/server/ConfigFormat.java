package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Json;
import dev.posthorn.console.Secrets;
import java.util.List;

/** How a configuration and its faults are told. */
final class ConfigFormat {

    private static final String MASK = "***";

    private ConfigFormat() {}

    static String faults(List<Fault> faults) {
        String head =
                faults.size() == 1 ? "1 fault in the configuration:" : faults.size() + " faults in the configuration:";
        return head + "\n"
                + String.join(
                        "\n", faults.stream().map(fault -> "  " + fault + ".").toList());
    }

    static ObjectNode json(List<Fault> faults) {
        ObjectNode json = Json.object().put("valid", faults.isEmpty());
        json.set("faults", Json.array(faults, ConfigFormat::json));
        return json;
    }

    private static ObjectNode json(Fault fault) {
        return Json.object()
                .put("key", fault.key())
                .put("value", fault.value().isEmpty() ? null : fault.value())
                .put("where", fault.where().isEmpty() ? null : fault.where())
                .put("what", fault.what());
    }

    static ObjectNode json(Configuration config) {
        ObjectNode json = json(config.faults());
        json.set(
                "values",
                Json.array(
                        config.values(),
                        given -> Json.object()
                                .put("key", given.path())
                                .put("value", shown(given))
                                .put("from", given.origin().kind().text())
                                .put(
                                        "where",
                                        given.origin().where().isEmpty()
                                                ? null
                                                : given.origin().where())));
        return json;
    }

    static String text(JsonNode config) {
        StringBuilder text = new StringBuilder();
        Fields.each(config, "values")
                .forEach(value -> text.append(value.path("key").asText())
                        .append(" = ")
                        .append(value.path("value").asText())
                        .append("   # ")
                        .append(value.path("from").asText())
                        .append(Fields.after(" ", value, "where"))
                        .append('\n'));
        return text.toString();
    }

    private static String shown(Given given) {
        boolean secret = Settings.of(given.key()).map(Setting::secret).orElse(false);
        return secret ? MASK : Secrets.mask(given.text());
    }
}
