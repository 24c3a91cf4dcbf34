package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Source;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Replays. */
public final class ReplayFormat {

    private ReplayFormat() {}

    public static ObjectNode list(List<Replay> replays) {
        ObjectNode node = Json.object();
        node.set("replays", Json.array(replays, ReplayFormat::one));
        return node;
    }

    public static ObjectNode dryRun(Replay replay) {
        ObjectNode node = Json.object().put("dry_run", true);
        put(node, "of", replay);
        target(node, replay).set("selection", selection(replay.request().selection()));
        return node;
    }

    public static ObjectNode one(Replay replay) {
        ObjectNode node = Json.object()
                .put("id", replay.id().toString())
                .put("state", replay.state().name())
                .put("done", replay.progress().done());
        put(node, "of", replay);
        target(node, replay)
                .put("per_second", Math.round(replay.perSecond() * 10) / 10.0)
                .put("expected_end", Json.time(replay.expectedEnd()))
                .put("position", replay.progress().position())
                .put("end", replay.progress().end())
                .put("who", replay.history().who())
                .put("reason", replay.request().reason().orElse(null))
                .put("fault", replay.history().fault().orElse(null))
                .put("started_at", replay.history().startedAt().toString())
                .put("changed_at", replay.history().changedAt().toString());
        Optional<Integer> rate = replay.request().rate().isPresent()
                ? Optional.of(replay.request().rate().getAsInt())
                : Optional.empty();
        node.put("rate", rate.orElse(null));
        node.set("selection", selection(replay.request().selection()));
        return node;
    }

    private static void put(ObjectNode node, String name, Replay replay) {
        if (replay.progress().of().isPresent()) {
            node.put(name, replay.progress().of().getAsLong());
        } else {
            node.putNull(name);
        }
    }

    private static ObjectNode target(ObjectNode node, Replay replay) {
        replay.request().target().reduce(route -> node.put("route", route), consumer -> node.put("consumer", consumer));
        return node.put(
                "archive",
                replay.request()
                        .source()
                        .reduce(
                                Optional::<String>empty,
                                archived -> Optional.of(archived).map(Source.Archived::folder))
                        .orElse(null));
    }

    private static ObjectNode selection(Selection selection) {
        ObjectNode node = Json.object();
        node.set("domains", Json.strings(sorted(selection.domains())));
        node.set("types", Json.strings(sorted(selection.types())));
        node.set("aggregate_types", Json.strings(sorted(selection.aggregateTypes())));
        node.set("keys", Json.strings(sorted(selection.keys())));
        node.set("tenants", Json.strings(sorted(selection.tenants())));
        return node.put("from", Json.time(selection.from())).put("to", Json.time(selection.to()));
    }

    private static List<String> sorted(Set<String> values) {
        return values.stream().sorted().toList();
    }
}
