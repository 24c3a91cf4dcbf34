package dev.posthorn.relay;

import dev.posthorn.relay.Item.State;
import dev.posthorn.relay.Log.LaneRows;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes in what reads of the log brought: moves a lane's cursor, and puts each event that the route wants in a batch and
 * behind its key's gate. Touched only under the relay's lock.
 */
final class LaneIntake {

    private final Lane lane;
    private final Workshop shop;

    /** Each event of a read is a batch of its own. */
    boolean splitsReads;

    LaneIntake(Lane lane) {
        this.lane = lane;
        this.shop = lane.shop;
    }

    /** Takes in what a read of this lane saw. */
    void admit(LaneRows rows, Snapshot seen, int lateLimit) {
        boolean overflow = rows.late().size() > lateLimit;
        if (overflow && shop.isOn(Safeguard.LATE_ROWS_BEFORE_FRESH)) {
            lane.cursor = lane.cursor.pinnedAt(seen);
            return;
        }
        List<LogEvent> fresh = rows.fresh();
        long position = fresh.isEmpty()
                ? lane.cursor.position()
                : fresh.get(fresh.size() - 1).seq();
        List<LogEvent> all = rows.late().isEmpty() ? fresh : new ArrayList<>(rows.late());
        if (all != fresh) {
            all.addAll(fresh);
        }
        if (splitsReads) {
            all = addAllButTheLast(all, rows.late().size(), seen);
        }
        add(Cursor.at(seen, position), all);
    }

    /**
     * As if the read had ended after each of its events, one after the other; late rows come all with the first. Returns
     * what the last of these reads brought.
     */
    private List<LogEvent> addAllButTheLast(List<LogEvent> rows, int late, Snapshot seen) {
        int from = 0;
        for (int i = late; i < rows.size() - 1; i++) {
            if (shop.filter().wants(rows.get(i).event())) {
                add(Cursor.at(seen, rows.get(i).seq()), rows.subList(from, i + 1));
                from = i + 1;
            }
        }
        return rows.subList(from, rows.size());
    }

    /** Takes in a page of late rows, up to one more than the limit; what else had ended by then is not in it. */
    void admitPinned(List<LogEvent> late, Snapshot seen, int limit) {
        if (!shop.isOn(Safeguard.LATE_PAGES_ARE_PINNED)) {
            Cursor read = lane.cursor;
            lane.cursor = new Cursor(read.snapshot(), read.position(), seen, read.late());
        }
        if (late.size() <= limit) {
            add(lane.cursor.unpinned(), late);
        } else {
            add(lane.cursor.latePassed(late.get(limit - 1).seq()), late.subList(0, limit));
        }
    }

    private void add(Cursor after, List<LogEvent> rows) {
        Cursor before = lane.cursor;
        lane.cursor = after;
        if (rows.isEmpty()) {
            return;
        }
        Batch batch = new Batch(before, after, shop.now(), rows.size());
        lane.batches.addLast(batch);
        for (LogEvent row : rows) {
            if (shop.filter().wants(row.event())) {
                add(batch, row);
            }
        }
        lane.heldEvents += batch.items.size();
        lane.heldBytes += batch.bytes;
        lane.forgetIdleGates();
    }

    private void add(Batch batch, LogEvent row) {
        KeyGate gate = row.event().key().map(lane::gate).orElse(null);
        Item item = Item.ofLane(lane, row, gate, batch);
        batch.items.add(item);
        batch.bytes += row.bytes();
        Duration delay = row.delay();
        if (delay != null) {
            item.state = State.SCHEDULED;
            item.due = batch.readAt + delay.toNanos();
            batch.hasRows = true;
            return;
        }
        batch.unresolved++;
        if (gate == null) {
            shop.sendQueue().ready(item);
        } else {
            gate.queue.addLast(item);
            if (gate.queue.size() == 1 || !shop.isOn(Safeguard.ONE_IN_FLIGHT_PER_KEY)) {
                lane.advance(gate);
            }
        }
    }
}
