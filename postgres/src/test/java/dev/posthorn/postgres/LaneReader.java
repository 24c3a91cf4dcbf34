package dev.posthorn.postgres;

import dev.posthorn.relay.Cursor;
import dev.posthorn.relay.Log;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Log.LaneRows;
import dev.posthorn.relay.Log.Page;
import dev.posthorn.relay.LogEvent;
import dev.posthorn.relay.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Follows the log by hand, as the relay does it but without a relay: the rules of the cursor and nothing else. */
final class LaneReader {

    private final Log log;
    final Map<Integer, Cursor> cursors = new TreeMap<>();

    /** From the beginning of the log, for lanes 0 to {@code lanes - 1}. */
    LaneReader(Log log, int lanes) {
        this.log = log;
        Snapshot nothingSeen = new Snapshot("1:1:");
        for (int lane = 0; lane < lanes; lane++) {
            cursors.put(lane, Cursor.at(nothingSeen, 0));
        }
    }

    /** One step of every lane: a page of a pinned one, fresh and late rows of the others. */
    List<LogEvent> step(int limit) {
        List<LogEvent> rows = new ArrayList<>();
        List<LaneRead> plain = new ArrayList<>();
        for (Map.Entry<Integer, Cursor> lane : cursors.entrySet()) {
            LaneRead read = new LaneRead(lane.getKey(), lane.getValue(), limit, limit);
            if (lane.getValue().pin() == null) {
                plain.add(read);
            } else {
                rows.addAll(pinned(read));
            }
        }
        if (!plain.isEmpty()) {
            Page page = log.read(plain);
            page.lanes().forEach(lane -> rows.addAll(take(lane, page.snapshot(), limit)));
        }
        return rows;
    }

    /** Steps until two in a row bring nothing: the first may only have pinned. */
    List<LogEvent> drain(int limit) {
        List<LogEvent> all = new ArrayList<>();
        for (int empty = 0; empty < 2; ) {
            List<LogEvent> rows = step(limit);
            empty = rows.isEmpty() ? empty + 1 : 0;
            all.addAll(rows);
        }
        return all;
    }

    private List<LogEvent> take(LaneRows rows, Snapshot seen, int limit) {
        Cursor cursor = cursorOf(rows.lane());
        if (rows.late().size() > limit) {
            cursors.put(rows.lane(), new Cursor(cursor.snapshot(), cursor.position(), seen, 0));
            return List.of();
        }
        List<LogEvent> all = new ArrayList<>(rows.late());
        all.addAll(rows.fresh());
        long position = rows.fresh().isEmpty()
                ? cursor.position()
                : rows.fresh().get(rows.fresh().size() - 1).seq();
        cursors.put(rows.lane(), Cursor.at(seen, position));
        return all;
    }

    private List<LogEvent> pinned(LaneRead read) {
        List<LogEvent> late = log.readPinned(read).lanes().get(0).late();
        Cursor cursor = read.cursor();
        Snapshot pin = cursor.pin();
        if (pin == null) {
            throw new IllegalStateException("not pinned");
        }
        if (late.size() <= read.lateLimit()) {
            cursors.put(read.lane(), Cursor.at(pin, cursor.position()));
            return late;
        }
        List<LogEvent> page = late.subList(0, read.lateLimit());
        long last = page.get(page.size() - 1).seq();
        cursors.put(read.lane(), new Cursor(cursor.snapshot(), cursor.position(), pin, last));
        return page;
    }

    Cursor cursorOf(int lane) {
        Cursor cursor = cursors.get(lane);
        if (cursor == null) {
            throw new IllegalStateException("no lane " + lane);
        }
        return cursor;
    }
}
