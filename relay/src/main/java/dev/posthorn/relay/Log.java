package dev.posthorn.relay;

import dev.posthorn.event.Event;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/**
 * Port: reading the log as one route sees it. Every method is one plain statement outside any transaction that writes.
 *
 * <p>A row takes at most 56 KiB while it is read: what would make it larger is left out, see {@link LogEvent}.
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
    record Page(Snapshot snapshot, String incarnation, List<LaneRows> lanes) {

        /** What the largest of its rows takes in memory; 0 if there is none. */
        long largestRow() {
            long largest = 0;
            for (LaneRows lane : lanes) {
                for (LogEvent row : lane.fresh()) {
                    largest = Math.max(largest, row.bytes());
                }
                for (LogEvent row : lane.late()) {
                    largest = Math.max(largest, row.bytes());
                }
            }
            return largest;
        }
    }

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

    /** The sizes in bytes of whole events, by id, with all of their fields. */
    Map<UUID, Long> sizes(List<UUID> ids);

    /** Whole events, by id, of which something had been left out. */
    Map<UUID, Event> fetch(List<UUID> ids);
}
