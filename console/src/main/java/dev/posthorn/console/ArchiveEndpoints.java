package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.archive.Archive;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Volume;
import dev.posthorn.archive.VolumeReader;
import dev.posthorn.console.Endpoint.Manual;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;

/** What the volumes of this process's archive hold. Payloads and headers are shown where the archive lies, not here. */
final class ArchiveEndpoints {

    private static final int PAGE = 50;

    private final Optional<Archive> kept;

    /** One at a time: each reads a whole volume. */
    private final Semaphore reading = new Semaphore(1);

    ArchiveEndpoints(Optional<Archive> kept) {
        this.kept = kept;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        "/v1/archive",
                        Right.READ,
                        Manual.of("The volumes of this process's archive.", "Archive"),
                        call -> Answer.json(ArchiveFormat.json(archive().list()))),
                Endpoint.get(
                        "/v1/archive/{volume}",
                        Right.READ,
                        Manual.of("One volume, read whole and compared with its manifest.", "Volume"),
                        call -> alone(() -> verify(call))),
                Endpoint.get(
                        "/v1/archive/{volume}/events",
                        Right.READ,
                        Manual.of(
                                "Events of one volume, without payloads and headers.",
                                "ArchivedEvents",
                                "id",
                                "domain",
                                "type",
                                "key",
                                "from",
                                "to",
                                "after",
                                "limit"),
                        call -> alone(() -> events(call))));
    }

    private Archive archive() {
        return kept.orElseThrow(() -> Refusal.missing(
                "This process has no archive: what it prunes is gone. Set retention.archive to keep it."));
    }

    private interface Look {
        ObjectNode look();
    }

    private Answer alone(Look look) {
        if (!reading.tryAcquire()) {
            throw Refusal.of(429, "too-busy", "Another volume is being read. Ask again in a second.");
        }
        try {
            return Answer.json(look.look());
        } finally {
            reading.release();
        }
    }

    private ObjectNode verify(Call call) {
        Volume volume = volume(call);
        return ArchiveFormat.json(
                volume.fault().isPresent() ? volume : archive().verify(volume.name(), events -> {}));
    }

    private ObjectNode events(Call call) {
        Volume volume = volume(call);
        int most = call.limit(PAGE);
        long after = call.number("after", 0, 0, Long.MAX_VALUE);
        ArchiveFilter filter = filter(call);
        List<ObjectNode> found = new ArrayList<>();
        long passed = 0;
        try (VolumeReader reader = archive().read(volume.name())) {
            Optional<ArchivedEvent> next = reader.next();
            while (next.isPresent() && found.size() < most) {
                passed++;
                if (passed > after && filter.fits(next.get())) {
                    found.add(ArchiveFormat.json(next.get(), volume.name()));
                }
                next = reader.next();
            }
            ObjectNode json = Json.object();
            json.set("events", Json.array(found, event -> event));
            return json.put("next", next.isPresent() ? Long.toString(passed) : null);
        }
    }

    /** One of the archive's: a name from outside never becomes a path. */
    private Volume volume(Call call) {
        String name = call.variable("volume");
        return archive().list().stream()
                .filter(volume -> volume.name().equals(name))
                .findFirst()
                .orElseThrow(() -> Refusal.missing("The archive has no volume " + name + ". See /v1/archive."));
    }

    private static ArchiveFilter filter(Call call) {
        @Nullable String id = call.wish("id");
        @Nullable String from = call.wish("from");
        @Nullable String to = call.wish("to");
        return new ArchiveFilter(
                id == null ? null : Call.uuid("id", id),
                call.wish("domain"),
                call.wish("type"),
                call.wish("key"),
                from == null ? Instant.MIN : Call.time("from", from),
                to == null ? Instant.MAX : Call.time("to", to));
    }
}
