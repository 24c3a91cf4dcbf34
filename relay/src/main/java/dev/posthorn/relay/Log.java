package dev.posthorn.relay;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Port: reading the log as one route sees it. Every method is one plain statement outside any transaction that writes.
 *
 * <p>Throws {@link StoreException} when the database did not answer.
 */
public interface Log {

    /** Where one lane stands and how many rows of it are wanted; {@code lateLimit + 1} late rows say there are more. */
    record LaneRead(int lane, Cursor cursor, int freshLimit, int lateLimit) {}

    /**
     * The unread rows of one lane, each list in order of seq. Of rows that are not the route's some may be missing, but
     * never the last fresh one that was looked at: the cursor goes on from there.
     */
    record LaneRows(int lane, List<LogEvent> fresh, List<LogEvent> late) {}

    /** What one statement saw, all of one snapshot. */
    record Page(Snapshot snapshot, String incarnation, List<LaneRows> lanes) {}

    /** The part of a blocked key that is to be read: its rows between two cursors, after {@code passed}. */
    record KeyWindow(int lane, String key, Cursor from, Cursor to, long passed, int limit) {}

    /** Rows of windows, keyed as they were asked for. */
    record Windows(String incarnation, Map<KeyWindow, List<LogEvent>> rows) {}

    /** Which events are the route's. */
    RouteFilter filter();

    /** Fresh and late rows of lanes whose cursors are not pinned. */
    Page read(List<LaneRead> lanes);

    /** The next rows that the cursor's pin sees and its snapshot does not, in order of seq; one more than the limit says there are more. */
    Page readPinned(LaneRead lane);

    /**
     * What remains of blocked keys, in order of seq: only what is the route's, and nothing that has a deliver-after time,
     * for those are detours.
     */
    Windows readWindows(List<KeyWindow> windows);

    /** Whole events, by id, whose payload had been left out. */
    Map<UUID, Event> fetch(List<UUID> ids);
}
