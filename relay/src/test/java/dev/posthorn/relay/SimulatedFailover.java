package dev.posthorn.relay;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A replica that falls behind and then takes over: what it never received is lost, and seqs and xids are used again. */
final class SimulatedFailover {

    /** What a replica has received so far. */
    private record Copy(SimulatedLog.Copy log, Map<SimulatedRoute, RouteTables> routes) {}

    private final Simulation simulation;
    private @Nullable Copy replica;

    SimulatedFailover(Simulation simulation) {
        this.simulation = simulation;
    }

    /** Copies, or takes over. */
    void step() {
        Copy copy = replica;
        if (copy == null) {
            replica = new Copy(simulation.database.log.copy(), simulation.routes.copy());
        } else if (simulation.dice.chance(0.5)) {
            simulation.log(() -> "FAILOVER");
            replica = null;
            simulation.rememberEvents();
            simulation.producers.disconnect();
            simulation.database.become(copy.log());
            simulation.routes.become(copy.routes());
            copy.routes().keySet().forEach(route -> route.invariants.failedOver = true);
        }
    }
}
