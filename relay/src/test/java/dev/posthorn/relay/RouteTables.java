package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DetourKind;
import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.CheckpointStore.LaneFlush;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.CheckpointStore.Trouble;
import dev.posthorn.relay.LeaseStore.Lease;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** What the database holds of one route, one statement or transaction a method; each happens at one moment. */
final class RouteTables {

    /** A row of blocked_key; {@code due} by the database's clock. */
    record Blocked(BlockedKey row, long due) {}

    /** A row of detour; {@code due} by the database's clock. */
    record Off(Detour row, SimulatedEvent event, long due) {
        boolean isFailed() {
            return row.kind() == DetourKind.FAILED;
        }
    }

    /** A row of lease. */
    record Held(@Nullable String owner, long epoch, long expires) {}

    /** One lane's newest checkpoint and rows. */
    static final class LaneTables {
        long n;
        Cursor cursor;
        final TreeMap<String, Blocked> blocked = new TreeMap<>();
        final TreeMap<Long, Off> detours = new TreeMap<>();

        LaneTables(long n, Cursor cursor) {
            this.n = n;
            this.cursor = cursor;
        }

        LaneTables copy() {
            LaneTables copy = new LaneTables(n, cursor);
            copy.blocked.putAll(blocked);
            copy.detours.putAll(detours);
            return copy;
        }
    }

    final Map<Integer, LaneTables> lanes = new TreeMap<>();
    final Map<Integer, LaneTables> before = new TreeMap<>();
    final Map<Integer, Held> leases = new TreeMap<>();
    final List<FailedAttempt> attempts = new ArrayList<>();
    /** In the order in which they began. */
    private final Map<String, Long> seen = new LinkedHashMap<>();

    private final SimulatedDatabase database;
    private final Clockwork clock;
    private final Set<StoreRule> off;
    boolean paused;

    RouteTables(SimulatedDatabase database, Cursor start) {
        this.database = database;
        this.clock = database.clock;
        this.off = database.off;
        for (int lane = 0; lane < SimulatedDatabase.LANES; lane++) {
            lanes.put(lane, new LaneTables(0, start));
            leases.put(lane, new Held(null, 0, 0));
        }
    }

    RouteMode mode() {
        return paused ? RouteMode.PAUSED : RouteMode.OPEN;
    }

    LaneTables lane(int number) {
        return Objects.requireNonNull(lanes.get(number));
    }

    /** Whether the committed cursors say that nothing of this event remains to be done on the ordinary way. */
    boolean covers(SimulatedEvent event) {
        LaneTables lane = lane(event.lane);
        Blocked own = event.key == null || event.isScheduled() ? null : lane.blocked.get(event.key);
        if (own == null) {
            return lane.cursor.covers(event.tx, event.seq);
        }
        return own.row().from().covers(event.tx, event.seq)
                || (own.row().to().covers(event.tx, event.seq)
                        && event.seq <= own.row().passed());
    }

    @Nullable
    Off detour(SimulatedEvent event) {
        return lane(event.lane).detours.get(event.seq);
    }

    // ---- leases

    boolean holds(String relay, Lease lease) {
        Held held = leases.get(lease.lane());
        return held != null && relay.equals(held.owner()) && held.epoch() == lease.epoch();
    }

    LeaseStore.Renewal renew(String relay, Collection<Lease> mine, Duration ttl) {
        seen.put(relay, clock.now());
        List<Lease> kept = mine.stream()
                .filter(lease -> holds(relay, lease))
                .sorted(BY_LANE)
                .toList();
        kept.forEach(lease -> leases.put(lease.lane(), new Held(relay, lease.epoch(), clock.now() + ttl.toNanos())));
        return new LeaseStore.Renewal(kept, crew(relay, ttl), lanes.size(), mode());
    }

    LeaseStore.Crew crew(String relay, Duration ttl) {
        List<String> alive = seen.entrySet().stream()
                .filter(one -> one.getKey().equals(relay) || clock.now() - one.getValue() < ttl.toNanos())
                .map(Map.Entry::getKey)
                .toList();
        boolean known = alive.contains(relay);
        return new LeaseStore.Crew(
                known ? alive.size() : alive.size() + 1, known ? alive.indexOf(relay) : alive.size());
    }

    private static final Comparator<Lease> BY_LANE = Comparator.comparingInt(Lease::lane);

    List<Lease> acquire(String relay, int most, Duration ttl) {
        List<Lease> taken = new ArrayList<>();
        leases.forEach((lane, held) -> {
            if (taken.size() < most && (held.owner() == null || held.expires() < clock.now())) {
                taken.add(new Lease(lane, off.contains(StoreRule.TAKEOVERS_RAISE_THE_EPOCH) ? 1 : held.epoch() + 1));
            }
        });
        taken.forEach(lease -> leases.put(lease.lane(), new Held(relay, lease.epoch(), clock.now() + ttl.toNanos())));
        return taken;
    }

    void release(String relay, Collection<Lease> given) {
        for (Lease lease : given) {
            if (holds(relay, lease)) {
                leases.put(lease.lane(), new Held(null, lease.epoch(), 0));
            }
        }
    }

    void freeLeases() {
        leases.replaceAll((lane, held) -> new Held(null, held.epoch() + 1, 0));
        seen.clear();
    }

    void leave(String relay) {
        seen.remove(relay);
    }

    // ---- lanes

    LaneState load(int lane, boolean stale) {
        LaneTables tables = stale ? before.getOrDefault(lane, lane(lane)) : lane(lane);
        return new LaneState(lane, tables.n, tables.cursor, database.incarnation(), mode(), blockedOf(tables));
    }

    private List<BlockedKey> blockedOf(LaneTables tables) {
        return tables.blocked.values().stream().map(this::asRead).toList();
    }

    BlockedKey asRead(Blocked stored) {
        BlockedKey row = stored.row();
        Trouble trouble = new Trouble(
                row.trouble().attempts(),
                Nanos.until(stored.due(), clock.now()),
                row.trouble().error());
        return new BlockedKey(row.key(), row.from(), row.to(), row.passed(), row.head(), trouble, row.held());
    }

    /** Whether this flush would be written. */
    boolean mayFlush(String relay, String loadedFrom, LaneFlush flush, boolean fenced) {
        boolean mine = !fenced || off.contains(StoreRule.FLUSHES_ARE_FENCED) || holds(relay, flush.lease());
        boolean next = off.contains(StoreRule.CHECKPOINTS_ARE_COMPARED)
                || flush.n() == lane(flush.lease().lane()).n + 1;
        boolean same =
                off.contains(StoreRule.FLUSHES_CHECK_THE_INCARNATION) || loadedFrom.equals(database.incarnation());
        return mine && next && same;
    }

    /** Returns what of it went off the way. */
    List<Off> write(LaneFlush flush) {
        LaneTables tables = lane(flush.lease().lane());
        before.put(flush.lease().lane(), tables.copy());
        tables.n = Math.max(tables.n + 1, flush.n());
        tables.cursor = flush.cursor();
        CheckpointStore.Changes changes = flush.changes();
        changes.blocked()
                .forEach(row -> tables.blocked.put(
                        row.key(),
                        new Blocked(row, clock.now() + row.trouble().pause().toNanos())));
        changes.unblocked().forEach(tables.blocked::remove);
        List<Off> written = changes.detours().stream().map(this::asStored).toList();
        written.forEach(row -> tables.detours.put(row.row().seq(), row));
        changes.finished().forEach(tables.detours::remove);
        attempts.addAll(changes.attempts());
        return written;
    }

    private Off asStored(Detour row) {
        long due = clock.now() + row.trouble().pause().toNanos();
        return new Off(row, database.log.committed(row.seq()), due);
    }

    List<Off> due(Collection<Integer> wanted, int limit) {
        return wanted.stream()
                .sorted()
                .flatMap(lane -> lane(lane).detours.values().stream())
                .filter(detour -> !detour.isFailed() && detour.due() <= clock.now() && !detour.event().pruned)
                .sorted(Comparator.comparingLong(Off::due))
                .limit(limit)
                .toList();
    }

    // ---- going back to an older copy

    RouteTables copy() {
        RouteTables copy = new RouteTables(database, lane(0).cursor);
        copy.become(this);
        return copy;
    }

    void become(RouteTables other) {
        lanes.clear();
        other.lanes.forEach((lane, state) -> lanes.put(lane, state.copy()));
        leases.clear();
        leases.putAll(other.leases);
        before.clear();
    }
}
