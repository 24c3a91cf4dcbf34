package dev.posthorn.relay;

import dev.posthorn.relay.RouteTables.Blocked;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Removes from the log what every live route has passed and none needs any more, without waiting for any retention. */
final class SimulatedPruner {

    private final Simulation simulation;
    private final SimulatedDatabase database;

    SimulatedPruner(Simulation simulation) {
        this.simulation = simulation;
        this.database = simulation.database;
    }

    void run() {
        List<SimulatedRoute> live = simulation.routes.live;
        List<SimulatedRoute> asked = database.isOff(StoreRule.PRUNING_ASKS_EVERY_ROUTE) ? live.subList(0, 1) : live;
        Set<SimulatedEvent> gone = database.log.rows.stream()
                .filter(SimulatedEvent::isCommitted)
                .filter(event -> asked.stream().allMatch(route -> isDoneWith(route.tables, event)))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        if (gone.isEmpty()) {
            return;
        }
        simulation.log(() -> "pruned: " + gone);
        live.forEach(route -> gone.forEach(route.invariants::pruned));
        simulation.rememberEvents();
        database.log.remove(gone);
    }

    private boolean isDoneWith(RouteTables route, SimulatedEvent event) {
        return isPassed(route, event)
                && (database.isOff(StoreRule.PRUNING_KEEPS_DETOURS) || route.detour(event) == null)
                && (database.isOff(StoreRule.PRUNING_KEEPS_BLOCKED_KEYS) || !waits(route, event));
    }

    private boolean isPassed(RouteTables route, SimulatedEvent event) {
        Cursor cursor = route.lane(event.lane).cursor;
        return database.isOff(StoreRule.PRUNING_GOES_BY_VISIBILITY)
                ? event.seq <= cursor.position()
                : cursor.covers(event.tx, event.seq);
    }

    private static boolean waits(RouteTables route, SimulatedEvent event) {
        @Nullable
        Blocked own = event.key == null ? null : route.lane(event.lane).blocked.get(event.key);
        return own != null && !own.row().from().covers(event.tx, event.seq);
    }
}
