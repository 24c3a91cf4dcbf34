package dev.posthorn.relay;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Older copies of the database that take its place: a replica that fell behind, or a dump in another cluster. */
final class SimulatedCopies {

    /** What a replica has received so far, or a dump saw. */
    private record Copy(SimulatedLog.Copy log, Map<SimulatedRoute, RouteTables> routes) {}

    private final Simulation simulation;
    private final SimulatedDatabase database;
    private final SimulatedRoutes routes;
    private final Dice dice;
    private @Nullable Copy replica;
    private @Nullable Copy dump;

    SimulatedCopies(Simulation simulation) {
        this.simulation = simulation;
        this.database = simulation.database;
        this.routes = simulation.routes;
        this.dice = simulation.dice;
    }

    private Copy copy() {
        return new Copy(database.log.copy(), routes.copy());
    }

    /** What the replica never received is lost, and seqs and xids are used again; relays go on. */
    void failOver() {
        Copy copy = replica;
        if (copy == null) {
            replica = copy();
        } else if (dice.chance(0.5)) {
            simulation.log(() -> "FAILOVER");
            become(copy);
            routes.live.forEach(route -> route.invariants.failedOver = true);
            routes.startWhereNoneIs();
        }
    }

    /** Everyone is disconnected; the dump comes to life where other xids are given, and is rebased. */
    void restore() {
        Copy copy = dump;
        if (copy == null) {
            dump = copy();
        } else if (dice.chance(0.5)) {
            simulation.log(() -> "RESTORE of a dump into another cluster");
            routes.live.forEach(SimulatedRoute::end);
            become(copy);
            database.log.moveTo(anyXid());
            SimulatedRebase rebase = new SimulatedRebase(simulation);
            if (dice.chance(0.4)) {
                rebase.moveLanes();
            }
            for (int i = dice.between(0, 12); i > 0; i--) {
                simulation.producers.step();
            }
            rebase.run();
            routes.startWhereNoneIs();
        }
    }

    private long anyXid() {
        long known = database.log.nextXid();
        return switch (dice.between(0, 2)) {
            case 0 -> dice.between(3, 90);
            case 1 -> Math.max(3, known - dice.between(0, 20));
            default -> known + dice.between(0, 1_000);
        };
    }

    private void become(Copy copy) {
        replica = null;
        dump = null;
        simulation.rememberEvents();
        simulation.producers.disconnect();
        database.become(copy.log());
        routes.become(copy.routes());
    }
}
