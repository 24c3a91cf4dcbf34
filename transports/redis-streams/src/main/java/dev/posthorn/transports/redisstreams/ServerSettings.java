package dev.posthorn.transports.redisstreams;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How the server keeps what it has accepted, as far as it may be asked; and what that means. */
record ServerSettings(Map<String, String> values) {

    private static final Logger LOG = LoggerFactory.getLogger(ServerSettings.class);
    private static final List<String> ASKED = List.of("appendonly", "appendfsync", "maxmemory", "maxmemory-policy");

    static ServerSettings of(Link link) {
        Map<String, String> values = new HashMap<>();
        try {
            for (String name : ASKED) {
                values.putAll(link.await(link.commands().configGet(name)));
            }
        } catch (RuntimeException refused) {
            if (!Replies.isReply(refused)) {
                throw refused;
            }
            values.clear();
        }
        return new ServerSettings(Map.copyOf(values));
    }

    /** What accepted events are lost by; empty if nothing that the settings could prevent. */
    List<String> risks() {
        List<String> risks = new ArrayList<>();
        if ("no".equals(values.get("appendonly"))) {
            risks.add("appendonly is no: a restart or crash of Redis loses accepted events");
        } else if ("no".equals(values.get("appendfsync"))) {
            risks.add("appendfsync is no: a crash of the machine loses what its disk had not got yet, often 30 s");
        } else if ("everysec".equals(values.get("appendfsync"))) {
            // It answers without having written while a sync is under way, so its own crash is enough.
            risks.add("appendfsync is everysec: a crash of Redis or of the machine loses up to two seconds; with always"
                    + " it does not");
        }
        String policy = values.getOrDefault("maxmemory-policy", "noeviction");
        boolean limited = !"0".equals(values.getOrDefault("maxmemory", "0"));
        if (limited && policy.startsWith("allkeys")) {
            risks.add("maxmemory-policy is " + policy + ": Redis deletes whole streams when its memory is full");
        } else if (limited && policy.startsWith("volatile")) {
            risks.add("maxmemory-policy is " + policy
                    + ": Redis deletes leases when its memory is full, and events are handled twice");
        }
        return risks;
    }

    void report() {
        if (values.isEmpty()) {
            LOG.info(
                    "Redis does not tell its settings to this user. Accepted events survive its crash if appendonly is yes and"
                            + " appendfsync is always.");
        } else if (risks().isEmpty()) {
            LOG.info(
                    "Redis keeps accepted events: appendonly {}, appendfsync {}.",
                    values.get("appendonly"),
                    values.get("appendfsync"));
        }
        risks().forEach(risk -> LOG.warn("Redis can lose events. {}.", risk));
    }
}
