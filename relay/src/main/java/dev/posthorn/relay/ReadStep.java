package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Log.LaneRows;
import dev.posthorn.relay.Log.Page;
import dev.posthorn.transport.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;

/**
 * Reads the log: loads lanes that were taken over, then one statement for all lanes that have room.
 *
 * <p>Several may run side by side. The first loads lanes, and reads them all while little is waiting. While there is a
 * backlog they share the lanes: while one takes in its rows, the database is busy with the next one's. A lane is read by
 * one of them at a time.
 */
final class ReadStep {

    /** Without a backlog a read asks for this part of a page: what is there is sent sooner. */
    private static final int FIRST_LOOK = 4;

    private final RelayState state;
    private final Log log;
    private final CheckpointStore checkpoints;
    private final String relay;
    private final int number;
    private final int readers;
    private MemoryBudget.Reservation reserved = MemoryBudget.Reservation.NONE;
    /** With which lane the next read begins, if not all can be read at once. */
    private int turn;

    ReadStep(RelayState state, Relay.Stores stores, int number, int readers) {
        this.state = state;
        this.log = stores.log();
        this.checkpoints = stores.checkpoints();
        this.relay = stores.relay();
        this.number = number;
        this.readers = readers;
    }

    /** Returns how many rows it read; all of them are gated and what can be sent is sent. */
    int runOnce() {
        try {
            if (number == 0) {
                load();
            }
            fetchPayloads();
            int rows = readLanes() + readPinnedLanes();
            state.locked(() -> lookForBacklog(rows));
            state.send();
            return rows;
        } catch (Throwable unsure) {
            if (unsure instanceof StoreException || state.shop().isOn(Safeguard.ANY_FAULT_OF_A_READ_IS_A_DOUBT)) {
                state.locked(() -> state.dropAll("the read failed: " + Thrown.describe(unsure)));
            }
            throw unsure;
        }
    }

    private void lookForBacklog(int rows) {
        int page = state.shop().config().page();
        if (rows >= page) {
            state.backlog = true;
        } else if (number == 0 && rows < page / 2) {
            state.backlog = false;
        }
    }

    private boolean isMine(Lane lane) {
        return state.backlog ? lane.number() % readers == number : number == 0;
    }

    private void load() {
        List<Lease> missing = state.locked(() ->
                state.stopping ? List.of() : state.leasesToLoad(state.shop().now()));
        if (missing.isEmpty()) {
            return;
        }
        Map<Integer, Lease> asked = new HashMap<>();
        missing.forEach(lease -> asked.put(lease.lane(), lease));
        List<LaneState> loaded = checkpoints.load(relay, missing);
        state.locked(() -> loaded.forEach(lane -> {
            Lease lease = asked.get(lane.lane());
            if (lease != null) {
                state.loaded(lane, lease);
            }
        }));
    }

    private int readLanes() {
        Map<Integer, Lane> asked = new HashMap<>();
        List<LaneRead> reads = state.locked(() -> requests(asked, false));
        if (reads.isEmpty()) {
            return 0;
        }
        try {
            return take(log.read(reads), reads, asked);
        } finally {
            state.locked(() -> release(0));
        }
    }

    private int take(Page page, List<LaneRead> reads, Map<Integer, Lane> asked) {
        long largest = page.largestRow();
        return state.locked(() -> {
            state.shop().counters().reads++;
            asked.values().forEach(lane -> lane.reading = false);
            int rows = 0;
            Map<Integer, LaneRead> readOf = new HashMap<>();
            reads.forEach(read -> readOf.put(read.lane(), read));
            for (LaneRows lane : page.lanes()) {
                Lane of = asked.get(lane.lane());
                LaneRead read = readOf.get(lane.lane());
                if (of != null && read != null && stillMine(of, page)) {
                    of.intake.admit(lane, page.snapshot(), read.lateLimit());
                    rows += lane.fresh().size() + lane.late().size();
                }
            }
            release(largest);
            return rows;
        });
    }

    /** The rows are taken in, or there are none. */
    private void release(long largestRow) {
        state.shop().sendQueue().memory.took(reserved, state.heldBytes(), largestRow);
        reserved = MemoryBudget.Reservation.NONE;
    }

    private int readPinnedLanes() {
        Map<Integer, Lane> asked = new HashMap<>();
        int rows = 0;
        try {
            for (LaneRead read : state.locked(() -> requests(asked, true))) {
                rows += readPinned(read, asked);
            }
            return rows;
        } finally {
            state.locked(() -> release(0));
        }
    }

    private int readPinned(LaneRead read, Map<Integer, Lane> asked) {
        Page page = log.readPinned(read);
        return state.locked(() -> {
            Lane of = Objects.requireNonNull(asked.get(read.lane()));
            of.reading = false;
            if (!stillMine(of, page)) {
                return 0;
            }
            List<LogEvent> late = page.lanes().get(0).late();
            of.intake.admitPinned(late, page.snapshot(), read.lateLimit());
            return late.size();
        });
    }

    private List<LaneRead> requests(Map<Integer, Lane> asked, boolean pinned) {
        long now = state.shop().now();
        List<Lane> wanted = new ArrayList<>();
        for (Lane lane : state.lanes()) {
            boolean readable = isMine(lane)
                    && lane.room() > 0
                    && !state.shop().sendQueue().isHeldUp()
                    && !lane.reading
                    && lane.isTrusted(now)
                    && !lane.draining
                    && !state.stopping;
            if (readable && (lane.cursor.pin() != null) == pinned) {
                wanted.add(lane);
            }
        }
        return wanted.isEmpty() ? List.of() : withinMemory(wanted, asked);
    }

    /** As many rows of these lanes as there is memory for: a read of n may bring n fresh rows, n late ones and one more. */
    private List<LaneRead> withinMemory(List<Lane> wanted, Map<Integer, Lane> asked) {
        int whole = state.shop().config().page();
        int page = state.backlog ? whole : Math.max(1, whole / FIRST_LOOK);
        int most = wanted.stream()
                .mapToInt(lane -> 2 * Math.min(page, lane.room()) + 1)
                .sum();
        MemoryBudget.Account memory = state.shop().sendQueue().memory;
        memory.holds(state.heldBytes());
        reserved = memory.reserve(most);
        int left = reserved.rows();
        int each = left < most ? Math.max(1, (left / wanted.size() - 1) / 2) : page;
        Collections.rotate(wanted, left < most ? turn++ : 0);
        List<LaneRead> reads = new ArrayList<>();
        for (Lane lane : wanted) {
            int limit = Math.min(each, Math.min(page, lane.room()));
            if (left > 0) {
                left -= 2 * limit + 1;
                lane.reading = true;
                reads.add(new LaneRead(lane.number(), lane.cursor, limit, limit));
                asked.put(lane.number(), lane);
            }
        }
        return reads;
    }

    /** A lane that is being handed over meanwhile takes nothing in: it may just have been found drained. */
    private boolean stillMine(Lane lane, Page page) {
        if (!state.isCurrent(lane) || lane.draining || state.stopping) {
            return false;
        }
        boolean same = page.incarnation().equals(lane.incarnation);
        if (!same && state.shop().isOn(Safeguard.INCARNATION_IS_CHECKED)) {
            state.drop(lane, "the database is another incarnation, " + page.incarnation());
            return false;
        }
        return true;
    }

    private void fetchPayloads() {
        measure();
        List<Sent> tooLarge = state.locked(
                () -> state.shop().sendQueue().takeTooLarge(state.shop().now()));
        tooLarge.forEach(sent -> sent.settle(Outcome.refused(tooLarge(sent.item))));
        List<Item> wanted = state.locked(() -> state.shop().sendQueue().takePayloadsWanted());
        if (wanted.isEmpty()) {
            return;
        }
        Map<UUID, Event> whole = log.fetch(idsOf(wanted));
        state.locked(() -> wanted.forEach(item -> {
            Event event = whole.get(item.row.event().id());
            if (event != null) {
                state.shop().sendQueue().fetched(item, event);
            } else {
                state.drop(item.lane, "a payload is gone from the log: " + item.row.event());
            }
        }));
    }

    private void measure() {
        List<Item> unmeasured = state.locked(() -> state.shop().sendQueue().takeUnmeasured());
        if (!unmeasured.isEmpty()) {
            Map<UUID, Long> sizes = log.sizes(idsOf(unmeasured));
            state.locked(() -> unmeasured.forEach(
                    item -> item.omitted = sizes.getOrDefault(item.row.event().id(), 1L)));
        }
    }

    private static List<UUID> idsOf(List<Item> items) {
        return items.stream().map(item -> item.row.event().id()).toList();
    }

    private String tooLarge(Item item) {
        return "the event is " + MemoryBudget.megabytes(item.omitted)
                + ", and a relay with this memory budget publishes up to "
                + MemoryBudget.megabytes(state.shop().sendQueue().memory.largestEvent())
                + ". Raise relay.memory or the heap, then redrive it.";
    }
}
