package dev.posthorn.benchmarks;

import dev.posthorn.event.JsonObject;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Writes a result for programs: one object on one line. */
final class ResultJson {

    private ResultJson() {}

    static String of(BenchResult result) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("name", result.name());
        fields.put("unit", result.headline().unit());
        fields.put("ours", result.headline().ours());
        fields.put("baseline", result.headline().baseline());
        fields.put("ratio", result.headline().ratio());
        fields.put("runs", result.runs());
        fields.put("holds", result.holds());
        fields.put(
                "contenders", result.lines().stream().map(ResultJson::contender).toList());
        fields.put("floors", result.floors().stream().map(ResultJson::floor).toList());
        fields.putAll(result.notes());
        return json(fields);
    }

    /** What can be measured. */
    static String list(List<Benchmark> benchmarks) {
        return json(Map.of(
                "benchmarks",
                benchmarks.stream()
                        .map(one -> new TreeMap<>(Map.of("name", one.name(), "summary", one.summary())))
                        .toList()));
    }

    private static Map<String, Object> contender(BenchResult.Line line) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("contender", line.contender());
        fields.put("unit", line.unit());
        fields.put("median", line.samples().median());
        fields.put("values", line.samples().values());
        return fields;
    }

    private static Map<String, Object> floor(Floor floor) {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("what", floor.what());
        fields.put("value", floor.value());
        fields.put(floor.kind() == Floor.Kind.AT_LEAST ? "at_least" : "at_most", floor.bound());
        fields.put("holds", floor.holds());
        return fields;
    }

    private static String json(Object value) {
        if (value instanceof Map<?, ?> map) {
            return map.entrySet().stream()
                    .map(entry -> JsonObject.quoted(entry.getKey().toString()) + ":" + json(entry.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Collection<?> list) {
            return list.stream().map(ResultJson::json).collect(Collectors.joining(",", "[", "]"));
        }
        if (value instanceof Double number) {
            return Double.isFinite(number) ? String.format(Locale.ROOT, "%.4f", number) : "null";
        }
        return value instanceof Number || value instanceof Boolean
                ? value.toString()
                : JsonObject.quoted(value.toString());
    }
}
