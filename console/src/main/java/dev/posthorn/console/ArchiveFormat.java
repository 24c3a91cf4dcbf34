package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.archive.Manifest;
import dev.posthorn.archive.Volume;
import java.util.List;
import java.util.Locale;

/** How volumes of an archive are printed. */
public final class ArchiveFormat {

    private ArchiveFormat() {}

    public static ObjectNode json(List<Volume> volumes) {
        ObjectNode all = Json.object()
                .put("events", volumes.stream().mapToLong(ArchiveFormat::events).sum())
                .put("damaged", damaged(volumes));
        all.set("volumes", Json.array(volumes, ArchiveFormat::json));
        return all;
    }

    private static ObjectNode json(Volume volume) {
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

    public static String text(List<Volume> volumes) {
        StringBuilder text = new StringBuilder();
        for (Volume volume : volumes) {
            text.append(volume.name())
                    .append(": ")
                    .append(volume.manifest().map(ArchiveFormat::content).orElse(""))
                    .append(volume.fault().map(fault -> "DAMAGED: " + fault).orElse(""))
                    .append('\n');
        }
        long sound = volumes.size() - damaged(volumes);
        return text.append(String.format(
                        Locale.ROOT,
                        "%,d volumes, %,d of them damaged; %,d events in the others.",
                        volumes.size(),
                        volumes.size() - sound,
                        volumes.stream()
                                .filter(volume -> volume.fault().isEmpty())
                                .mapToLong(ArchiveFormat::events)
                                .sum()))
                .toString();
    }

    /** What its manifest says. */
    public static long events(Volume volume) {
        return volume.manifest().map(Manifest::events).orElse(0L);
    }

    private static String content(Manifest manifest) {
        return String.format(
                Locale.ROOT,
                "%,d events, seq %d to %d, emitted %s to %s, %,d bytes. ",
                manifest.events(),
                manifest.firstSeq(),
                manifest.lastSeq(),
                manifest.firstCreatedAt(),
                manifest.lastCreatedAt(),
                manifest.bytes());
    }

    private static long damaged(List<Volume> volumes) {
        return volumes.stream().filter(volume -> volume.fault().isPresent()).count();
    }
}
