package dev.posthorn.replay;

import dev.posthorn.archive.Archive;
import dev.posthorn.archive.ArchiveException;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Manifest;
import dev.posthorn.archive.Volume;
import dev.posthorn.archive.VolumeReader;
import dev.posthorn.event.Event;
import dev.posthorn.replay.ReplayStore.PageLimit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.LongStream;

/**
 * The selected events of an archive by seq.
 *
 * <p>Volumes are in the order of lanes, and each may hold seqs of any other, so all that may have the next ones are read
 * through, and as many of the lowest kept as fit into memory. Pages come out of those; when they are used up, the volumes
 * are read again from there. An event that is in two volumes comes once. Not thread-safe.
 */
final class ArchivePages {

    private static final PageLimit KEPT = new PageLimit(20_000, 64L << 20);
    private static final int OVERHEAD = 500;

    private final Archive archive;
    private final Source.Archived source;
    private final Selection selection;
    private final PageLimit most;
    private final TreeMap<Long, Event> kept = new TreeMap<>();
    private long keptBytes;
    private long keptFrom = Long.MAX_VALUE;
    /** What is selected up to this seq, after {@link #keptFrom}, is kept. */
    private long keptTo = Long.MIN_VALUE;

    ArchivePages(Archive archive, Source.Archived source, Selection selection) {
        this(archive, source, selection, KEPT);
    }

    /** One that keeps no more than this in memory. */
    ArchivePages(Archive archive, Source.Archived source, Selection selection, PageLimit most) {
        this.most = most;
        this.archive = archive;
        this.source = source;
        this.selection = selection;
    }

    /** What a replay from this archive would take, as it is now. Reads every volume that may hold something selected. */
    static Source.Archived choose(Archive archive, String folder, Selection selection) {
        List<String> volumes = new ArrayList<>();
        LongStream.Builder seqs = LongStream.builder();
        for (Volume volume : archive.list()) {
            if (selection.mayMatch(soundOf(volume)) && collect(archive, volume.name(), selection, seqs)) {
                volumes.add(volume.name());
            }
        }
        long[] sorted = seqs.build().sorted().toArray();
        long of = 0;
        for (int i = 0; i < sorted.length; i++) { // one that is in two volumes counts once
            of += i == 0 || sorted[i] != sorted[i - 1] ? 1 : 0;
        }
        long end = sorted.length == 0 ? 0 : sorted[sorted.length - 1];
        return new Source.Archived(folder, volumes, end, OptionalLong.of(of));
    }

    private static boolean collect(Archive archive, String volume, Selection selection, LongStream.Builder seqs) {
        boolean some = false;
        try (VolumeReader reader = archive.read(volume)) {
            for (Optional<ArchivedEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                if (selection.matches(next.get())) {
                    seqs.add(next.get().place().seq());
                    some = true;
                }
            }
        }
        return some;
    }

    private static Manifest soundOf(Volume volume) {
        if (volume.fault().isPresent() || volume.manifest().isEmpty()) {
            throw new ArchiveException(
                    "The volume " + volume.name() + " of the archive is not sound: "
                            + volume.fault().orElse("its manifest can not be read")
                            + ". Without it events could be missing; see posthorn archive verify.",
                    null);
        }
        return volume.manifest().get();
    }

    Page page(long after, PageLimit limit) {
        if (after < keptFrom || after >= keptTo) {
            fill(after);
        }
        List<Page.Entry> entries = new ArrayList<>();
        long bytes = 0;
        for (Map.Entry<Long, Event> next : kept.tailMap(after, false).entrySet()) {
            bytes += next.getValue().payloadSize();
            if (entries.size() == limit.events() || (bytes > limit.bytes() && !entries.isEmpty())) {
                return new Page(entries, entries.get(entries.size() - 1).seq());
            }
            entries.add(new Page.Entry(next.getKey(), next.getValue()));
        }
        return new Page(entries, keptTo);
    }

    private void fill(long after) {
        kept.clear();
        keptBytes = 0;
        keptFrom = after;
        keptTo = source.end();
        Set<String> mine = new HashSet<>(source.volumes());
        for (Volume volume : archive.list()) {
            if (mine.remove(volume.name()) && mayHold(soundOf(volume), after)) {
                read(volume.name(), after);
            }
        }
        if (!mine.isEmpty()) {
            throw new ArchiveException("The archive has lost " + mine + " since the replay was started.", null);
        }
    }

    private boolean mayHold(Manifest volume, long after) {
        return volume.lastSeq() > after && volume.firstSeq() <= keptTo;
    }

    private void read(String volume, long after) {
        try (VolumeReader reader = archive.read(volume)) {
            for (Optional<ArchivedEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                long seq = next.get().place().seq();
                if (seq > after && seq <= keptTo && selection.matches(next.get())) {
                    keep(seq, next.get().event());
                }
            }
        }
    }

    private void keep(long seq, Event event) {
        if (kept.putIfAbsent(seq, event) == null) {
            keptBytes += sizeOf(event);
        }
        while (kept.size() > 1 && (kept.size() > most.events() || keptBytes > most.bytes())) {
            keptBytes -= sizeOf(kept.pollLastEntry().getValue());
            keptTo = kept.lastKey();
        }
    }

    private static int sizeOf(Event event) {
        return event.payloadSize() + OVERHEAD;
    }
}
