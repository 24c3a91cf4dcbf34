package dev.posthorn.relay;

import dev.posthorn.event.Event;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Port: cursors, blocked keys and detours of one route. Throws {@link StoreException} when the outcome is not known. */
public interface CheckpointStore {

    /** A key that waits, as it is stored. {@code head} is the seq of the event that failed, if one did. */
    record BlockedKey(
            String key,
            Cursor from,
            Cursor to,
            long passed,
            @Nullable Long head,
            Trouble trouble,
            boolean held) {}

    /** How often something failed, when it may be tried again (from now) and why it failed last. */
    record Trouble(int attempts, Duration pause, @Nullable String error) {
        static final Trouble NONE = new Trouble(0, Duration.ZERO, null);
    }

    /** Why an event is off the way. */
    enum DetourKind {
        FAILED,
        SCHEDULED,
        RETRY,
        REDRIVE
    }

    /** A single event off the way. */
    record Detour(
            long seq,
            DetourKind kind,
            UUID eventId,
            @Nullable String key,
            Trouble trouble) {
        static Detour of(long seq, DetourKind kind, Event event, Trouble trouble) {
            return new Detour(seq, kind, event.id(), event.key().orElse(null), trouble);
        }
    }

    /** A detour that is due, with its event. */
    record DueDetour(Detour detour, LogEvent row) {}

    /** What has become due. Nothing of it is sent unless the route is open. */
    record Due(RouteMode mode, List<DueDetour> detours) {}

    /** A publish call that did not go through, for the audit. */
    record FailedAttempt(long seq, UUID eventId, int attempt, String outcome, String error) {}

    /** What a lane looks like in the database; {@code mode} is its route's, as the same statement saw it. */
    record LaneState(int lane, long n, Cursor cursor, String incarnation, RouteMode mode, List<BlockedKey> blocked) {}

    /** What one lane writes: checkpoint {@code n} and everything that belongs to passing it. */
    record LaneFlush(LeaseStore.Lease lease, long n, Cursor cursor, Changes changes) {}

    /** Rows to write and delete beside a checkpoint. */
    record Changes(
            List<BlockedKey> blocked,
            List<String> unblocked,
            List<Detour> detours,
            List<Long> finished,
            List<FailedAttempt> attempts) {

        public boolean isEmpty() {
            return blocked.isEmpty()
                    && unblocked.isEmpty()
                    && detours.isEmpty()
                    && finished.isEmpty()
                    && attempts.isEmpty();
        }
    }

    /** Reads lanes that were just taken over, in a statement begun after the takeover committed. */
    List<LaneState> load(String relay, Collection<LeaseStore.Lease> leases);

    /**
     * One transaction. The lanes returned are lost (fenced, overtaken, or the database is another incarnation): nothing
     * of theirs was written. All others are committed, whole.
     */
    Set<Integer> flush(String relay, String incarnation, List<LaneFlush> lanes);

    /** Detours of these lanes whose time has come, earliest first, and whether the route is to publish at all. */
    Due due(Collection<Integer> lanes, int limit);

    /** Keys of these lanes that an operator has released; only keys asked for are returned. */
    List<BlockedKey> released(int lane, Collection<String> heldKeys);
}
