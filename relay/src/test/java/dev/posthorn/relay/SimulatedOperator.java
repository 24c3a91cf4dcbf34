package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DetourKind;
import dev.posthorn.relay.CheckpointStore.Trouble;
import dev.posthorn.relay.RouteTables.Blocked;
import dev.posthorn.relay.RouteTables.LaneTables;
import dev.posthorn.relay.RouteTables.Off;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Someone who decides about FAILED events: redrives or discards them, or lets a held key go on. */
final class SimulatedOperator {

    private final Simulation simulation;
    private final SimulatedPruner pruner;
    private final Dice dice;

    SimulatedOperator(Simulation simulation) {
        this.simulation = simulation;
        this.pruner = new SimulatedPruner(simulation);
        this.dice = simulation.dice;
    }

    void step(SimulatedRoute route) {
        if (dice.chance(0.15)) {
            route.pause(!route.tables.paused);
            simulation.log(() -> "operator " + (route.tables.paused ? "pauses " : "resumes ") + route);
        } else if (dice.chance(0.2)) {
            pruner.run();
        } else {
            decide(route);
            route.invariants.checkCursors();
        }
    }

    private void decide(SimulatedRoute route) {
        LaneTables lane = route.tables.lane(dice.between(0, SimulatedDatabase.LANES - 1));
        List<Off> failed = lane.detours.values().stream().filter(Off::isFailed).toList();
        if (failed.isEmpty()) {
            return;
        }
        Off row = dice.pick(failed);
        if (dice.chance(0.5)) {
            route.of(row.event()).repair();
        }
        double choice = dice.share();
        if (choice < 0.5) {
            redrive(route, lane, row);
        } else if (choice < 0.75) {
            discard(route, lane, row);
        } else {
            release(lane, row);
        }
    }

    private void redrive(SimulatedRoute route, LaneTables lane, Off row) {
        simulation.log(() -> "operator redrives " + row.event());
        route.invariants.redriven(row.event());
        Blocked held = heldBy(lane, row);
        if (held != null) {
            lane.detours.remove(row.row().seq());
            letGo(lane, held.row(), row.row().seq() - 1, held.row().head());
        } else {
            Detour before = row.row();
            Detour redrive = new Detour(before.seq(), DetourKind.REDRIVE, before.eventId(), before.key(), Trouble.NONE);
            lane.detours.put(before.seq(), new Off(redrive, row.event(), simulation.clock.now()));
        }
    }

    private void discard(SimulatedRoute route, LaneTables lane, Off row) {
        simulation.log(() -> "operator discards " + row.event());
        route.of(row.event()).discarded = true;
        lane.detours.remove(row.row().seq());
        release(lane, row);
    }

    private void release(LaneTables lane, Off row) {
        Blocked held = heldBy(lane, row);
        if (held != null) {
            simulation.log(() -> "operator releases " + held.row().key());
            letGo(lane, held.row(), held.row().passed(), null);
        }
    }

    private void letGo(LaneTables lane, BlockedKey row, long passed, @Nullable Long head) {
        BlockedKey free = new BlockedKey(row.key(), row.from(), row.to(), passed, head, Trouble.NONE, false);
        lane.blocked.put(row.key(), new Blocked(free, simulation.clock.now()));
    }

    private static @Nullable Blocked heldBy(LaneTables lane, Off row) {
        String key = row.row().key();
        Blocked blocked = key == null ? null : lane.blocked.get(key);
        boolean holds = blocked != null
                && blocked.row().held()
                && Long.valueOf(row.row().seq()).equals(blocked.row().head());
        return holds ? blocked : null;
    }
}
