package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Manifest;
import dev.posthorn.archive.Volume;
import java.util.List;
import java.util.TreeMap;

/** How an archive is told of. */
public final class ArchiveFormat {

    private ArchiveFormat() {}

    public static ObjectNode json(List<Volume> volumes) {
        return volumes(volumes.stream().map(ArchiveFormat::json).toList());
    }

    /** The same of volumes that are told of already. */
    public static ObjectNode volumes(List<ObjectNode> volumes) {
        ObjectNode all = Json.object()
                .put(
                        "events",
                        volumes.stream()
                                .mapToLong(volume -> volume.path("events").asLong())
                                .sum())
                .put(
                        "damaged",
                        volumes.stream()
                                .filter(volume -> volume.hasNonNull("fault"))
                                .count());
        all.set("volumes", Json.array(volumes, volume -> volume));
        return all;
    }

    public static ObjectNode json(Volume volume) {
        ObjectNode json = Json.object().put("volume", volume.name());
        volume.manifest()
                .ifPresent(manifest -> json.put("events", manifest.events())
                        .put("bytes", manifest.bytes())
                        .put("sha256", manifest.sha256())
                        .put("first_seq", manifest.firstSeq())
                        .put("last_seq", manifest.lastSeq())
                        .put("first_created_at", manifest.firstCreatedAt().toString())
                        .put("last_created_at", manifest.lastCreatedAt().toString()));
        return json.put("fault", volume.fault().orElse(null));
    }

    /** What its manifest says. */
    public static long events(Volume volume) {
        return volume.manifest().map(Manifest::events).orElse(0L);
    }

    /** One event, without payload and headers. */
    public static ObjectNode json(ArchivedEvent archived, String volume) {
        ObjectNode json = Json.object()
                .put("volume", volume)
                .put("seq", archived.place().seq())
                .put("id", archived.event().id().toString())
                .put("domain", archived.event().domain())
                .put("type", archived.event().type())
                .put("key", archived.event().key().orElse(null))
                .put("created_at", archived.place().createdAt().toString())
                .put("payload_size", archived.event().payloadSize());
        ObjectNode published = Json.object();
        new TreeMap<>(archived.publishedAt()).forEach((route, at) -> published.put(route, at.toString()));
        json.set("published_at", published);
        return json;
    }
}
