package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.relay.RouteTables.Off;
import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.Supplier;

/**
 * One relay's connection to the simulated database: every port, as the engine knows them.
 *
 * <p>Each call is a place where the world goes on: before it takes effect, and after that before the relay hears of it.
 * There the relay may crash, or the call fail with its effect or without.
 */
final class SimulatedStores implements Log, CheckpointStore, LeaseStore {

    /** What happens around a call. */
    interface World {
        /** Others go on; throws if this relay crashes meanwhile, or if the call fails. */
        void goesOn(String call);

        /** Others may go on for so long that leases run out. */
        void mayStall();

        /** The database is about to be changed by this relay. */
        void beforeChange();

        /** The database was changed by this relay. */
        void afterChange();

        /** Whether something that is only likely to happen happens now. */
        boolean happens(double probability);
    }

    private final SimulatedDatabase database;
    private final SimulatedRoute route;
    private final RouteTables tables;
    private final World world;
    private final String relay;

    SimulatedStores(String relay, SimulatedDatabase database, SimulatedRoute route, World world) {
        this.relay = relay;
        this.database = database;
        this.route = route;
        this.tables = route.tables;
        this.world = world;
    }

    @Override
    public RouteFilter filter() {
        return route.filter;
    }

    private <T> T look(String call, Supplier<T> effect) {
        world.goesOn(call);
        T answer = effect.get();
        world.goesOn(call);
        return answer;
    }

    private <T> T change(String call, Supplier<T> effect) {
        world.goesOn(call);
        world.beforeChange();
        T answer = effect.get();
        world.afterChange();
        world.goesOn(call);
        return answer;
    }

    // ---- Log

    @Override
    public Page read(List<LaneRead> lanes) {
        return look(
                "read",
                () -> page(lanes.stream()
                        .map(lane -> database.log.read(lane, route.filter))
                        .toList()));
    }

    @Override
    public Page readPinned(LaneRead lane) {
        return look("readPinned", () -> page(List.of(database.log.readPinned(lane))));
    }

    private Page page(List<LaneRows> rows) {
        return new Page(database.log.snapshot(), database.incarnation(), rows);
    }

    @Override
    public Windows readWindows(List<KeyWindow> windows) {
        return look("readWindows", () -> {
            Map<KeyWindow, List<LogEvent>> rows = new HashMap<>();
            windows.forEach(window -> rows.put(window, database.log.readWindow(window, route.filter)));
            return new Windows(database.incarnation(), rows);
        });
    }

    @Override
    public Map<UUID, Long> sizes(List<UUID> ids) {
        return look("sizes", () -> {
            Map<UUID, Long> found = new HashMap<>();
            database.log.rows.stream()
                    .filter(row -> row.isCommitted() && ids.contains(row.event.id()))
                    .forEach(row -> found.put(row.event.id(), 1_000L));
            return found;
        });
    }

    @Override
    public Map<UUID, Event> fetch(List<UUID> ids) {
        return look("fetch", () -> {
            Map<UUID, Event> found = new HashMap<>();
            database.log.rows.stream()
                    .filter(row -> row.isCommitted() && ids.contains(row.event.id()))
                    .forEach(row -> found.put(row.event.id(), row.event));
            return found;
        });
    }

    // ---- CheckpointStore

    @Override
    public List<LaneState> load(String name, Collection<Lease> leases) {
        boolean stale = database.isOff(StoreRule.LOADS_SEE_THE_NEWEST) && world.happens(0.5);
        return look(
                "load",
                () -> leases.stream()
                        .filter(lease -> tables.holds(name, lease))
                        .map(lease -> tables.load(lease.lane(), stale))
                        .toList());
    }

    @Override
    public Set<Integer> flush(String name, String incarnation, List<LaneFlush> lanes) {
        boolean loose = database.isOff(StoreRule.THE_FENCE_IS_LOCKED) && world.happens(0.5);
        Set<Integer> lost = new TreeSet<>();
        if (loose) {
            lanes.stream()
                    .filter(lane -> !tables.mayFlush(name, incarnation, lane, true))
                    .forEach(lane -> lost.add(lane.lease().lane()));
        }
        world.mayStall();
        return change("flush", () -> {
            for (LaneFlush lane : lanes) {
                if (lost.contains(lane.lease().lane()) || !tables.mayFlush(name, incarnation, lane, !loose)) {
                    lost.add(lane.lease().lane());
                } else {
                    write(lane);
                }
            }
            return lost;
        });
    }

    /** One transaction of what handlers do and the flush: at its end both are there, or neither. */
    Set<Integer> handle(HandlingStore.Work work) {
        world.goesOn("begin");
        List<SimulatedEvent> effects = new ArrayList<>();
        HandlingStore.Result result = work.run(publication -> {
            world.goesOn("handle");
            SimulatedEvent event = route.transport.eventOf(publication);
            Outcome outcome = route.transport.handle(publication, event);
            if (outcome instanceof Outcome.Accepted) {
                effects.add(event);
            }
            return outcome;
        });
        if (world.happens(0.01)) {
            throw new RolledBackException("a deferred constraint is broken", new IllegalStateException());
        }
        world.mayStall();
        return change("commit", () -> {
            Set<Integer> lost = new TreeSet<>();
            result.lanes().stream()
                    .filter(lane -> !tables.mayFlush(relay, result.incarnation(), lane, true))
                    .forEach(lane -> lost.add(lane.lease().lane()));
            if (lost.isEmpty() || database.isOff(StoreRule.EFFECTS_ARE_FENCED)) {
                effects.forEach(route.invariants::arrived);
            }
            if (lost.isEmpty()) {
                result.lanes().forEach(this::write);
            }
            return lost;
        });
    }

    private void write(LaneFlush lane) {
        tables.write(lane).stream()
                .filter(Off::isFailed)
                .forEach(row -> route.of(row.event()).failedForGood());
    }

    @Override
    public Due due(Collection<Integer> lanes, int limit) {
        return look("due", () -> {
            List<DueDetour> found = new ArrayList<>();
            for (Off row : tables.due(lanes, limit)) {
                found.add(new DueDetour(row.row(), database.log.asRead(row.event())));
            }
            return new Due(tables.mode(), found);
        });
    }

    @Override
    public List<BlockedKey> released(int lane, Collection<String> heldKeys) {
        return look(
                "released",
                () -> tables.lane(lane).blocked.values().stream()
                        .filter(row ->
                                heldKeys.contains(row.row().key()) && !row.row().held())
                        .map(tables::asRead)
                        .toList());
    }

    // ---- LeaseStore

    @Override
    public Renewal renew(String name, Collection<Lease> held, Duration ttl, Report report) {
        return change("renew", () -> tables.renew(name, held, ttl));
    }

    @Override
    public Crew crew(String name, Duration ttl) {
        return look("crew", () -> tables.crew(name, ttl));
    }

    @Override
    public List<Lease> acquire(String name, int most, Duration ttl) {
        return change("acquire", () -> tables.acquire(name, most, ttl));
    }

    @Override
    public void release(String name, Collection<Lease> leases) {
        change("release", () -> {
            tables.release(name, leases);
            return leases;
        });
    }

    @Override
    public void leave(String name) {
        change("leave", () -> {
            tables.leave(name);
            return name;
        });
    }
}
