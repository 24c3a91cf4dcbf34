package dev.posthorn.inboxes.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How the server keeps marks, by its own word; and what that means. */
record ServerSettings(Map<String, String> values) {

    private static final String NO_EVICTION = "noeviction";

    /** What INFO says of memory and persistence. */
    static ServerSettings of(Redis redis) {
        Map<String, String> values = new HashMap<>();
        for (String section : List.of("memory", "persistence")) {
            redis.info(section).lines().filter(line -> line.indexOf(':') > 0).forEach(line -> {
                int colon = line.indexOf(':');
                values.put(line.substring(0, colon), line.substring(colon + 1).strip());
            });
        }
        return new ServerSettings(Map.copyOf(values));
    }

    /** What repeats effects by losing marks; empty if nothing that the settings could prevent. */
    List<Risk> risks() {
        List<Risk> risks = new ArrayList<>();
        String policy = values.getOrDefault("maxmemory_policy", NO_EVICTION);
        if (!policy.equals(NO_EVICTION)) {
            boolean limited = !"0".equals(values.getOrDefault("maxmemory", "0"));
            risks.add(new Risk(
                    "maxmemory-policy is " + policy
                            + ": when its memory is full Redis deletes marks, and what comes again"
                            + " has its effect again" + (limited ? "" : ". No maxmemory is set yet"),
                    "Set it to noeviction, and give the inbox a Redis of its own if others there need eviction."));
        }
        if ("0".equals(values.get("aof_enabled"))) {
            risks.add(new Risk(
                    "appendonly is no: a restart of Redis loses marks, and what comes again has its effect again",
                    "Set it to yes."));
        }
        return risks;
    }
}
