package dev.posthorn.relay;

import dev.posthorn.event.Event;
import org.jspecify.annotations.Nullable;

/** One event in the relay's memory. Touched only under the relay's lock. */
final class Item {

    enum State {
        /** Waits for its turn, for its time, or for its key. */
        QUEUED,
        /** Its turn has come; it is in the list of what to send next. */
        READY,
        /** Sent, not answered. */
        IN_FLIGHT,
        CONFIRMED,
        /** Given up; its FAILED row is not committed yet. */
        DEAD,
        /** Not due yet; the flush that passes it writes its detour. */
        SCHEDULED,
        /** Left to the key's own cursor. */
        PASSED
    }

    /** Where it was read from, and so what its outcome moves. */
    enum Origin {
        LANE,
        WINDOW,
        DETOUR
    }

    final Lane lane;
    final LogEvent row;
    final @Nullable KeyGate gate;
    final @Nullable Batch batch;
    Origin origin;
    State state = State.QUEUED;
    Event event;
    boolean payloadMissing;
    /** The size of what is to be fetched; negative while that is not known. */
    long omitted;
    /** An operator had it published again. */
    boolean redriven;
    /** Sent behind one of its key that did not go through: whatever is said about it was not about it. */
    boolean withheld;

    int attempts;
    /** Its answer was lost and nothing was charged, if so. */
    @Nullable
    Doubt doubt;

    /** The last opening of the breaker during which it was the probe. */
    int probed;

    long due;
    long sentAt;

    @Nullable
    String error;

    @Nullable
    Sent sent;

    CheckpointStore.@Nullable DetourKind detour;

    private Item(Lane lane, LogEvent row, Origin origin, @Nullable KeyGate gate, @Nullable Batch batch) {
        this.lane = lane;
        this.row = row;
        this.origin = origin;
        this.gate = gate;
        this.batch = batch;
        this.event = row.event();
        this.omitted = row.omittedBytes();
        this.payloadMissing = omitted != 0;
    }

    static Item ofLane(Lane lane, LogEvent row, @Nullable KeyGate gate, Batch batch) {
        return new Item(lane, row, Origin.LANE, gate, batch);
    }

    /** What a publication belongs to that nobody waits for any more. */
    static Item nobody(Workshop shop) {
        LogEvent nothing = LogEvent.of(-1, 0, Event.of("posthorn", "nothing").build());
        return new Item(Lane.nowhere(shop), nothing, Origin.DETOUR, null, null);
    }

    static Item ofWindow(Lane lane, LogEvent row, KeyGate gate) {
        return new Item(lane, row, Origin.WINDOW, gate, null);
    }

    static Item ofDetour(Lane lane, CheckpointStore.DueDetour due, @Nullable KeyGate gate) {
        Item item = new Item(lane, due.row(), Origin.DETOUR, gate, null);
        item.detour = due.detour().kind();
        item.attempts = due.detour().trouble().attempts();
        item.redriven = item.detour == CheckpointStore.DetourKind.REDRIVE;
        return item;
    }

    long seq() {
        return row.seq();
    }

    boolean isUnresolved() {
        return state == State.QUEUED || state == State.READY || state == State.IN_FLIGHT;
    }

    /** How it stands, with the pause counted from now. */
    CheckpointStore.Trouble trouble(long now) {
        return new CheckpointStore.Trouble(attempts, Nanos.until(due, now), error);
    }
}
