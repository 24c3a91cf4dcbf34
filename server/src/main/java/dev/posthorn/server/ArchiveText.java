package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Locale;

/** What is in an archive, for people. */
final class ArchiveText {

    private ArchiveText() {}

    static String of(JsonNode archive) {
        List<JsonNode> volumes = Fields.each(archive, "volumes");
        StringBuilder text = new StringBuilder();
        for (JsonNode volume : volumes) {
            text.append(volume.path("volume").asText())
                    .append(": ")
                    .append(volume.hasNonNull("sha256") ? content(volume) : "")
                    .append(Fields.after("DAMAGED: ", volume, "fault"))
                    .append('\n');
        }
        return text.append(String.format(
                        Locale.ROOT,
                        "%,d volumes, %,d of them damaged; %,d events in the others.",
                        volumes.size(),
                        archive.path("damaged").asLong(),
                        volumes.stream()
                                .filter(volume -> !volume.hasNonNull("fault"))
                                .mapToLong(volume -> volume.path("events").asLong())
                                .sum()))
                .toString();
    }

    private static String content(JsonNode volume) {
        return String.format(
                Locale.ROOT,
                "%,d events, seq %d to %d, emitted %s to %s, %,d bytes. ",
                volume.path("events").asLong(),
                volume.path("first_seq").asLong(),
                volume.path("last_seq").asLong(),
                volume.path("first_created_at").asText(),
                volume.path("last_created_at").asText(),
                volume.path("bytes").asLong());
    }

    /** One event in a line. */
    static String event(JsonNode event) {
        StringBuilder text = new StringBuilder();
        text.append(event.path("created_at").asText())
                .append(' ')
                .append(event.path("id").asText())
                .append(' ')
                .append(event.path("domain").asText())
                .append(' ')
                .append(event.path("type").asText())
                .append(Fields.after(", key ", event, "key"))
                .append(", seq ")
                .append(event.path("seq").asText())
                .append(", ")
                .append(event.path("payload_size").asText())
                .append(" bytes");
        Fields.entries(event, "published_at")
                .forEach(route -> text.append(", ")
                        .append(route.getKey())
                        .append(" published it ")
                        .append(route.getValue().asText()));
        return text.append(", in ").append(event.path("volume").asText()).toString();
    }
}
