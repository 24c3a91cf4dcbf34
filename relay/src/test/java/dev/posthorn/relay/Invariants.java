package dev.posthorn.relay;

import dev.posthorn.relay.CheckpointStore.FailedAttempt;
import dev.posthorn.relay.RouteTables.Blocked;
import dev.posthorn.relay.RouteTables.LaneTables;
import dev.posthorn.relay.RouteTables.Off;
import dev.posthorn.relay.SimulatedEvent.Fate;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * What must hold whatever happens: nothing lost, nothing invented, in order per key, no more attempts than allowed, and
 * no more duplicates than what was under way or unwritten where something broke. Of one route.
 */
final class Invariants {

    /** What one lane in one relay's memory has sent and not yet written down. */
    private static final class Tally {
        final SimulatedRelay relay;
        final Set<Sent> sent = new LinkedHashSet<>();
        /** By publish call: a lane that was loaded while its own former flush was still under way may send one twice. */
        final Map<Sent, SimulatedEvent> accepted = new LinkedHashMap<>();

        Tally(SimulatedRelay relay) {
            this.relay = relay;
        }
    }

    private final Simulation simulation;
    private final SimulatedRoute route;
    private final RouteTables tables;
    private final Map<Lane, Tally> tallies = new LinkedHashMap<>();
    private final Map<Sent, Tally> tallyOf = new HashMap<>();
    private final Map<Integer, Long> checkpoints = new HashMap<>();
    private int attemptsSeen;
    /** An older copy took over: how much is published again is not bounded any more. */
    boolean failedOver;

    Invariants(Simulation simulation, SimulatedRoute route) {
        this.simulation = simulation;
        this.route = route;
        this.tables = route.tables;
    }

    // ---- what happens at the destination

    void sent(SimulatedRelay relay, Sent sent, SimulatedEvent event) {
        check(sent, event);
        boolean inMemory = sent.item.lane.number() >= 0; // else it was thrown away after the event was taken
        if (inMemory && relay.loadedAt(sent.item.lane) > route.pausedSince()) {
            throw new Violation(event + " is sent by a lane that was loaded after " + route + " was paused");
        }
        Tally tally = tallies.computeIfAbsent(sent.item.lane, any -> new Tally(relay));
        tally.sent.add(sent);
        tallyOf.put(sent, tally);
    }

    /** Whether it may be published or handled at all. */
    void check(Sent sent, SimulatedEvent event) {
        if (event.fate != Fate.COMMITTED && event.fate != Fate.LOST) {
            throw new Violation("I2 invented: " + event + " is sent but " + event.fate);
        }
        if (!route.isOwn(event)) {
            throw new Violation("I2 not of " + route + ": " + event);
        }
        int most = route.policy.retry().maxAttempts();
        if (sent.charged() >= most) {
            throw new Violation("attempt " + (sent.charged() + 1) + " of " + most + " of " + event);
        }
    }

    void arrived(SimulatedEvent event) {
        EventOnRoute own = route.of(event);
        if (own.arrivals++ > 0) {
            simulation.duplicate();
            return;
        }
        if (event.fate != Fate.COMMITTED || !hasPlace(event)) {
            return;
        }
        for (SimulatedEvent earlier : event.before) {
            if (route.expects(earlier) && hasPlace(earlier) && route.of(earlier).arrivals == 0) {
                throw new Violation("I4 order: " + event + " arrived before " + earlier + " by " + route);
            }
        }
    }

    private boolean hasPlace(SimulatedEvent event) {
        return !event.isScheduled() && !route.of(event).outOfOrder;
    }

    void accepted(Sent sent, SimulatedEvent event) {
        Tally tally = tallyOf.get(sent);
        if (tally != null && tallies.containsValue(tally)) {
            tally.accepted.put(sent, event);
        }
    }

    void allowDuplicate(SimulatedEvent event, String why) {
        simulation.log(() -> "one more duplicate of " + event + " is allowed: " + why);
        route.of(event).allowedDuplicates++;
    }

    void pruned(SimulatedEvent event) {
        if (route.expects(event) && route.of(event).isMissing()) {
            throw new Violation("I1 lost: " + event + " was pruned before it arrived by " + route + describe());
        }
    }

    void redriven(SimulatedEvent event) {
        route.of(event).redriven();
        allowDuplicate(event, "redriven");
    }

    /** The tables are what they were some time ago. */
    void wentBack() {
        simulation.database.log.rows.forEach(event -> route.of(event).wanted = 1);
    }

    /** So they are after a restore: what the dump does not know to be published is published again. */
    void restored() {
        simulation.database.log.rows.stream()
                .filter(event -> route.of(event).arrivals > 0 && !isRecorded(event))
                .forEach(event -> allowDuplicate(event, "the dump does not know that it arrived"));
    }

    // ---- what happens to lanes and tables

    /** A lane that is thrown away forgets what it sent and did not write. */
    void lookForDroppedLanes() {
        tallies.entrySet().removeIf(entry -> {
            Tally tally = entry.getValue();
            if (!entry.getKey().gone && !tally.relay.isOver()) {
                return false;
            }
            tally.accepted
                    .values()
                    .forEach(event -> allowDuplicate(event, tally.relay.name + " forgot that it was accepted"));
            tally.sent.stream()
                    .filter(sent -> !sent.isSettled())
                    .forEach(sent -> allowDuplicate(
                            simulation.eventOf(sent.event()), tally.relay.name + " forgot that it was sent"));
            return true;
        });
    }

    void databaseChanged(SimulatedRelay by) {
        Set<Integer> written = new HashSet<>();
        tables.lanes.forEach((number, lane) -> {
            if (!Long.valueOf(lane.n).equals(checkpoints.put(number, lane.n))) {
                written.add(number);
            }
        });
        if (written.isEmpty()) {
            return;
        }
        simulation.log(() -> by.name + " wrote " + describe());
        checkCursors();
        checkAttempts();
        tallies.forEach((lane, tally) -> {
            if (tally.relay == by && written.contains(lane.number())) {
                tally.accepted.values().removeIf(this::isRecorded);
            }
        });
    }

    private boolean isRecorded(SimulatedEvent event) {
        Off detour = tables.detour(event);
        return event.fate != Fate.COMMITTED || (tables.covers(event) && (detour == null || detour.isFailed()));
    }

    private String describe() {
        StringBuilder text = new StringBuilder();
        tables.lanes.forEach((number, lane) -> {
            text.append(" lane ").append(number).append(" #").append(lane.n).append(' ');
            text.append(brief(lane.cursor));
            lane.blocked.values().forEach(row -> text.append(brief(row.row())));
            lane.detours
                    .values()
                    .forEach(row -> text.append(' ')
                            .append(row.row().kind())
                            .append(" ")
                            .append(row.event()));
        });
        return text.toString();
    }

    private static String brief(CheckpointStore.BlockedKey row) {
        return " {" + row.key() + " from " + brief(row.from()) + " to " + brief(row.to()) + " passed " + row.passed()
                + " attempts " + row.trouble().attempts() + (row.held() ? " held by " + row.head() : "") + "}";
    }

    private static String brief(Cursor cursor) {
        String pinned = cursor.pin() == null ? "" : " pinned " + cursor.pin() + " late " + cursor.late();
        return "(" + cursor.snapshot() + " " + cursor.position() + pinned + ")";
    }

    /** I1, as the tables stand: what a cursor has passed is either out or has a row. */
    void checkCursors() {
        for (SimulatedEvent event : simulation.database.log.rows) {
            if (tables.detour(event) == null
                    && route.expects(event)
                    && route.of(event).isMissing()
                    && tables.covers(event)) {
                throw new Violation("I1 lost: a cursor passed " + event + ", which never arrived:" + describe());
            }
        }
    }

    private void checkAttempts() {
        int most = route.policy.retry().maxAttempts();
        for (FailedAttempt attempt : tables.attempts.subList(attemptsSeen, tables.attempts.size())) {
            if (attempt.attempt() > most) {
                throw new Violation("charged too often: " + attempt);
            }
        }
        attemptsSeen = tables.attempts.size();
        tables.lanes
                .values()
                .forEach(lane -> lane.detours.values().stream()
                        .filter(Off::isFailed)
                        .filter(row -> row.row().trouble().attempts() < most && route.of(row.event()).refusals == 0)
                        .forEach(row -> {
                            throw new Violation("given up too early: " + row);
                        }));
    }

    // ---- the end, when everything has healed

    boolean isSettled() {
        for (SimulatedEvent event : simulation.database.log.rows) {
            LaneTables lane = tables.lane(event.lane);
            if (event.isCommitted() && !lane.cursor.covers(event.tx, event.seq)) {
                return false;
            }
        }
        return tables.lanes.values().stream()
                .allMatch(lane ->
                        lane.blocked.values().stream().allMatch(row -> row.row().held())
                                && lane.detours.values().stream().allMatch(Off::isFailed));
    }

    void checkTheEnd() {
        checkCursors();
        for (SimulatedEvent event : simulation.database.log.rows) {
            EventOnRoute own = route.of(event);
            if (route.expects(event) && own.isMissing() && !waits(event)) {
                throw new Violation("I1 lost: " + event + " is nowhere on " + route);
            }
            if (own.arrivals > 1 + own.allowedDuplicates && !failedOver) {
                throw new Violation("I3 duplicates: " + event + " arrived " + own.arrivals + " times by " + route
                        + ", but only " + own.allowedDuplicates + " duplicates are explained");
            }
        }
    }

    private boolean waits(SimulatedEvent event) {
        Blocked own = event.key == null ? null : tables.lane(event.lane).blocked.get(event.key);
        return tables.detour(event) != null || (own != null && !tables.covers(event));
    }

    String pending() {
        return describe();
    }
}
