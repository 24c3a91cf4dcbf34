package dev.posthorn.transports.ipc;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One member of a group, as the hub sees it. */
final class Seat {

    private static final int LARGEST_PREFETCH = 100_000;

    final Group group;
    final Caller caller;
    private final int prefetch;
    private final Map<Long, Parcel> out = new HashMap<>();
    /** Lines that are this member's and have more, by the number of their head. */
    private final TreeMap<Long, Line> own = new TreeMap<>();

    boolean leaving;

    Seat(Group group, Caller caller, int prefetch) {
        this.group = group;
        this.caller = caller;
        this.prefetch = Math.max(1, Math.min(prefetch, LARGEST_PREFETCH));
    }

    int room() {
        return leaving || caller.isCongested() ? 0 : prefetch - out.size();
    }

    void has(Line line) {
        own.put(line.head(), line);
    }

    void hasNot(Line line) {
        own.remove(line.head());
    }

    /** The line with the oldest letter that this member may have. */
    @Nullable
    Line next(NavigableMap<Long, Line> free) {
        if (own.isEmpty() || (!free.isEmpty() && free.firstKey() < own.firstKey())) {
            return free.isEmpty() ? null : free.firstEntry().getValue();
        }
        return own.firstEntry().getValue();
    }

    void deliver(Parcel parcel) {
        parcel.deliveries++;
        out.put(parcel.number, parcel);
        Letter letter = parcel.letter();
        caller.send(Frames.deliver(parcel.number, parcel.deliveries, letter.size()), ByteBuffer.wrap(letter.bytes()));
    }

    @Nullable
    Parcel has(long number) {
        return out.get(number);
    }

    void settled(Parcel parcel) {
        out.remove(parcel.number);
    }

    List<Parcel> out() {
        return List.copyOf(out.values());
    }
}
