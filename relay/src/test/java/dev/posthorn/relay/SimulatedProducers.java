package dev.posthorn.relay;

import dev.posthorn.relay.SimulatedEvent.Fate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Transactions that emit: short and long ones, with rollbacks, savepoints, and most of them serialised by key. */
final class SimulatedProducers {

    private static final class Transaction {
        long xid;
        final boolean isLong;
        final List<SimulatedEvent> rows = new ArrayList<>();
        /** Has its seq but is not written yet. */
        final List<SimulatedEvent> pending = new ArrayList<>();

        final Set<String> locks = new HashSet<>();

        Transaction(boolean isLong) {
            this.isLong = isLong;
        }
    }

    private final SimulatedLog log;
    private final Clockwork clock;
    private final Dice dice;
    private final int keys;
    private final boolean bulky;
    private int most;
    private final List<Transaction> open = new ArrayList<>();
    private final Map<String, Transaction> locks = new HashMap<>();
    private int emitted;

    SimulatedProducers(SimulatedLog log, Clockwork clock, Dice dice, boolean bulky) {
        this.log = log;
        this.clock = clock;
        this.dice = dice;
        this.keys = dice.between(2, 5);
        this.bulky = bulky;
        this.most = dice.oneOf(12, 25, 45);
    }

    int emitted() {
        return emitted;
    }

    void step() {
        if (open.isEmpty() || (open.size() < 5 && dice.chance(0.3))) {
            begin();
            return;
        }
        Transaction tx = dice.pick(open);
        double choice = dice.share();
        if (!tx.pending.isEmpty()) {
            write(tx);
        } else if (choice < 0.55 && emitted < most) {
            emit(tx);
        } else if (choice < 0.6 && !tx.rows.isEmpty()) {
            SimulatedEvent last = tx.rows.remove(tx.rows.size() - 1);
            last.fate = Fate.ABORTED;
        } else if (!tx.isLong || dice.chance(0.1)) {
            end(tx, dice.chance(0.85));
        }
    }

    private void begin() {
        if (emitted >= most) {
            if (!open.isEmpty()) {
                end(dice.pick(open), dice.chance(0.85));
            }
            return;
        }
        Transaction tx = new Transaction(dice.chance(bulky ? 0.5 : 0.15));
        open.add(tx);
        if (dice.chance(0.4)) {
            tx.xid = log.assignXid();
        }
    }

    private void emit(Transaction tx) {
        int number = dice.between(0, keys);
        String key = number == keys ? null : "k" + number;
        if (key != null && dice.chance(0.8)) {
            if (locks.getOrDefault(key, tx) != tx) {
                return;
            }
            locks.put(key, tx);
            tx.locks.add(key);
        }
        int count = bulky ? dice.oneOf(1, 4, 6) : dice.oneOf(1, 1, 1, 1, 2, 6);
        for (int i = 0; i < count; i++) {
            int lane = key == null ? dice.between(0, 1) : log.laneOf(key);
            tx.pending.add(event(tx, lane, key));
            if (count > 1 || dice.chance(0.7)) {
                write(tx);
            }
        }
    }

    private SimulatedEvent event(Transaction tx, int lane, @Nullable String key) {
        long deliverAfter = dice.chance(0.06)
                ? clock.now() + Duration.ofMillis(dice.between(0, 3_000)).toNanos()
                : 0;
        SimulatedEvent event = new SimulatedEvent(
                ++emitted,
                log.nextSeq(),
                lane,
                key,
                deliverAfter,
                dice.chance(0.08) ? emitted % 2 == 0 ? 1_000 : LogEvent.UNMEASURED : 0,
                dice.chance(0.25) ? "another" : "simulated");
        if (key != null) {
            log.rows.stream()
                    .filter(row -> row.isCommitted() && key.equals(row.key))
                    .forEach(event.before::add);
            tx.rows.stream().filter(row -> key.equals(row.key)).forEach(event.before::add);
        }
        return event;
    }

    private void write(Transaction tx) {
        if (tx.xid == 0) {
            tx.xid = log.assignXid();
        }
        for (SimulatedEvent event : tx.pending) {
            event.tx = log.inLog(tx.xid);
            log.rows.add(event);
            tx.rows.add(event);
        }
        tx.pending.clear();
    }

    private void end(Transaction tx, boolean commit) {
        if (!tx.pending.isEmpty()) {
            write(tx);
        }
        open.remove(tx);
        tx.rows.forEach(row -> row.fate = commit ? Fate.COMMITTED : Fate.ABORTED);
        if (commit) {
            long moment = log.nextCommit();
            tx.rows.forEach(row -> row.committedAt = moment);
        }
        if (tx.xid != 0) {
            log.ended(tx.xid);
        }
        tx.locks.forEach(locks::remove);
    }

    /** Ends those that have written to the log. */
    void endWriters() {
        List.copyOf(open).stream().filter(tx -> !tx.rows.isEmpty()).forEach(tx -> end(tx, dice.chance(0.85)));
    }

    /** Ends everything that is open. */
    void finish() {
        List.copyOf(open).forEach(tx -> end(tx, true));
    }

    /** The server is gone and with it everything that was not committed; more is emitted after that. */
    void disconnect() {
        most += 10;
        open.forEach(tx -> {
            tx.rows.forEach(row -> row.fate = Fate.LOST);
            tx.pending.forEach(row -> row.fate = Fate.LOST);
        });
        open.clear();
        locks.clear();
    }
}
