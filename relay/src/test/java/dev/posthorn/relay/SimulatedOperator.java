package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.BlockedKey;
import dev.posthorn.relay.CheckpointStore.Detour;
import dev.posthorn.relay.CheckpointStore.DetourKind;
import dev.posthorn.relay.CheckpointStore.Trouble;
import dev.posthorn.relay.SimulatedDatabase.Blocked;
import dev.posthorn.relay.SimulatedDatabase.LaneTables;
import dev.posthorn.relay.SimulatedDatabase.Off;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Someone who decides about FAILED events: redrives or discards them, or lets a held key go on. */
final class SimulatedOperator {

    private final Simulation simulation;
    private final SimulatedDatabase database;
    private final Dice dice;

    SimulatedOperator(Simulation simulation) {
        this.simulation = simulation;
        this.database = simulation.database;
        this.dice = simulation.dice;
    }

    void step() {
        if (dice.chance(0.15)) {
            database.paused = !database.paused;
            simulation.log(() -> "operator " + (database.paused ? "pauses" : "resumes") + " the route");
            return;
        }
        if (dice.chance(0.2)) {
            prune();
            return;
        }
        LaneTables lane = database.lane(dice.between(0, database.lanes.size() - 1));
        List<Off> failed = lane.detours.values().stream().filter(Off::isFailed).toList();
        if (failed.isEmpty()) {
            return;
        }
        Off row = dice.pick(failed);
        if (dice.chance(0.5)) {
            row.event().failures = 0;
            row.event().refusedUntil = 0;
        }
        double choice = dice.share();
        if (choice < 0.5) {
            redrive(lane, row);
        } else if (choice < 0.75) {
            discard(lane, row);
        } else {
            release(lane, row);
        }
        simulation.invariants.checkCursors();
    }

    /** What the newest checkpoint has passed and nothing needs any more goes. */
    private void prune() {
        Set<SimulatedEvent> gone = database.log.rows.stream()
                .filter(SimulatedEvent::isCommitted)
                .filter(event -> isPassed(event) && !isNeeded(event))
                .collect(Collectors.toSet());
        if (gone.isEmpty()) {
            return;
        }
        simulation.log(() -> "operator prunes " + gone);
        gone.forEach(simulation.invariants::pruned);
        simulation.rememberEvents();
        database.log.remove(gone);
    }

    private boolean isPassed(SimulatedEvent event) {
        Cursor cursor = database.lane(event.lane).cursor;
        return database.off.contains(StoreRule.PRUNING_GOES_BY_VISIBILITY)
                ? event.seq <= cursor.position()
                : cursor.covers(event.tx, event.seq);
    }

    private boolean isNeeded(SimulatedEvent event) {
        LaneTables lane = database.lane(event.lane);
        Blocked own = event.key == null ? null : lane.blocked.get(event.key);
        return lane.detours.containsKey(event.seq)
                || (own != null && !own.row().from().covers(event.tx, event.seq));
    }

    private void redrive(LaneTables lane, Off row) {
        simulation.log(() -> "operator redrives " + row.event());
        simulation.invariants.redriven(row.event());
        Blocked held = heldBy(lane, row);
        if (held != null) {
            lane.detours.remove(row.row().seq());
            letGo(lane, held.row(), row.row().seq() - 1);
        } else {
            Detour before = row.row();
            Detour redrive = new Detour(before.seq(), DetourKind.REDRIVE, before.eventId(), before.key(), Trouble.NONE);
            lane.detours.put(before.seq(), new Off(redrive, row.event(), simulation.clock.now()));
        }
    }

    private void discard(LaneTables lane, Off row) {
        simulation.log(() -> "operator discards " + row.event());
        row.event().discarded = true;
        lane.detours.remove(row.row().seq());
        release(lane, row);
    }

    private void release(LaneTables lane, Off row) {
        Blocked held = heldBy(lane, row);
        if (held != null) {
            simulation.log(() -> "operator releases " + held.row().key());
            letGo(lane, held.row(), held.row().passed());
        }
    }

    private void letGo(LaneTables lane, BlockedKey row, long passed) {
        BlockedKey free = new BlockedKey(row.key(), row.from(), row.to(), passed, null, Trouble.NONE, false);
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
