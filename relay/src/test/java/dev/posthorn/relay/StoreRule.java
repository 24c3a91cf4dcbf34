package dev.posthorn.relay;

/** What the engine relies on the store for, by name, so that a test can switch each off alone. */
enum StoreRule {
    /** A read also brings rows at or before the position that committed after the last look. */
    READS_BRING_LATE_ROWS,
    /** A flush is refused unless the relay holds the lane, in the same epoch. */
    FLUSHES_ARE_FENCED,
    /** A flush is refused unless it writes the checkpoint right after the newest one. */
    CHECKPOINTS_ARE_COMPARED,
    /** The fence holds until the flush is committed. */
    THE_FENCE_IS_LOCKED,
    /** Loading a lane sees what was committed before its takeover. */
    LOADS_SEE_THE_NEWEST,
    /** A snapshot names the transactions in progress, which a standby's does not. */
    SNAPSHOTS_NAME_WHAT_IS_IN_PROGRESS,
    /** A takeover raises the lease's epoch. */
    TAKEOVERS_RAISE_THE_EPOCH,
    /** A flush is refused if the database is another incarnation than the lane was loaded from. */
    FLUSHES_CHECK_THE_INCARNATION,
    /** The destination takes nothing of a run behind an event that did not go through. */
    RUNS_STOP,
    /** What handlers did is undone if the flush of their transaction is refused. */
    EFFECTS_ARE_FENCED,
    /** A row is pruned only if the cursor has passed it by visibility, not by its position. */
    PRUNING_GOES_BY_VISIBILITY,
    /** A row is pruned only if every live route has passed it. */
    PRUNING_ASKS_EVERY_ROUTE,
    /** A row with a detour is not pruned: it may be redriven. */
    PRUNING_KEEPS_DETOURS,
    /** What a blocked key has yet to read is not pruned. */
    PRUNING_KEEPS_BLOCKED_KEYS,
    /** A route begins after what a snapshot sees, not after a number. */
    A_ROUTE_STARTS_AT_A_SNAPSHOT,
    /** Where a dump was restored, transaction ids to come are shifted above all that the log knows. */
    RESTORED_LOGS_ARE_REBASED,
    /** Where keys have other lanes than in the dump, every lane begins again at what all of them had read. */
    LANES_THAT_MOVED_BEGIN_AGAIN
}
