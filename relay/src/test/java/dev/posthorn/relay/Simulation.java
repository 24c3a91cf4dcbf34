package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.relay.SimulatedRelay.Step;
import dev.posthorn.relay.SimulatedTransport.Silence;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One run of the protocol, all of it decided by a seed: the real engine of several relays over a simulated database,
 * transport and clock, on one thread.
 *
 * <p>Wherever a relay calls the database or the transport, others go on before and after: producers commit, other relays
 * take over, the relay's own other steps run, as on their threads. Faults happen for a while; then everything heals and
 * must drain.
 */
final class Simulation {

    private static final int DEEPEST = 3;
    private static final int LONGEST_HEALING = 3_000;

    final Clockwork clock = new Clockwork();
    final Dice dice;
    final Temper temper;
    final Set<Safeguard> off;
    final SimulatedDatabase database;
    final SimulatedProducers producers;
    final SimulatedRoutes routes;
    private final SimulatedOperator operator;
    private final SimulatedCopies copies;
    private final List<String> trace = new ArrayList<>();
    private final boolean tracing;
    private final IdentityHashMap<Event, SimulatedEvent> events = new IdentityHashMap<>();
    private int depth;
    private int actions;
    private boolean healing;
    private int duplicates;
    /** The first broken promise; the engine may catch what tells of it. */
    private @Nullable Violation violation;

    private Simulation(long seed, Set<Safeguard> off, Set<StoreRule> storeOff, boolean tracing) {
        this.dice = new Dice(seed);
        this.off = off;
        this.tracing = tracing;
        this.temper = Temper.of(dice, off, storeOff);
        this.database = new SimulatedDatabase(clock, storeOff);
        this.producers = new SimulatedProducers(database.log, clock, dice, temper.bulky());
        this.routes = new SimulatedRoutes(this, temper.routes());
        this.operator = new SimulatedOperator(this);
        this.copies = new SimulatedCopies(this);
    }

    /** What a run came to. */
    record Result(Optional<Violation> violation, int events, int duplicates, List<String> trace) {}

    static Result run(long seed, Set<Safeguard> off, Set<StoreRule> storeOff, boolean tracing) {
        Simulation simulation = new Simulation(seed, off, storeOff, tracing);
        Optional<Violation> violation = Optional.empty();
        try {
            simulation.run();
        } catch (Violation broken) {
            violation = Optional.of(broken);
        }
        return new Result(
                violation, simulation.producers.emitted(), simulation.duplicates, List.copyOf(simulation.trace));
    }

    private void run() {
        int most = dice.oneOf(250, 600);
        while (actions < most) {
            act();
        }
        heal();
        throwIfViolated();
        routes.live.forEach(route -> route.invariants.checkTheEnd());
    }

    // ---- the world

    /** Around a call of a relay: others go on, mostly a little, sometimes for so long that leases run out. */
    void goOn() {
        if (healing || depth >= DEEPEST || !dice.chance(depth == 0 ? 0.25 : 0.08)) {
            return;
        }
        act(dice.chance(temper.faults().stalls()) ? dice.between(20, 90) : dice.between(1, 4));
    }

    /** In the middle of something that takes its time. */
    void goOnFor(int times) {
        if (!healing && depth < DEEPEST) {
            act(times);
        }
    }

    void goOnForLong() {
        if (!healing && depth == 0) {
            act(dice.between(30, 300));
        }
    }

    private void act(int times) {
        depth++;
        for (int i = 0; i < times; i++) {
            act();
        }
        depth--;
    }

    /** How much has happened. */
    int actions() {
        return actions;
    }

    void duplicate() {
        duplicates++;
    }

    boolean isHealing() {
        return healing;
    }

    boolean storeFails() {
        return !healing && dice.chance(temper.faults().store());
    }

    boolean runsOutOfMemory() {
        return !healing
                && temper.faults().memory() > 0
                && dice.chance(temper.faults().memory());
    }

    /** Where the engine takes whatever is thrown for a fault of the transport. */
    void remembering(Runnable work) {
        try {
            work.run();
        } catch (Violation broken) {
            violation = violation == null ? broken : violation;
            throw broken;
        }
    }

    private void throwIfViolated() {
        if (violation != null) {
            throw violation;
        }
    }

    private void act() {
        throwIfViolated();
        actions++;
        clock.passMillis(dice.chance(0.85) ? dice.between(0, 12) : dice.between(0, 120));
        if (dice.chance(temper.faults().disturbances())) {
            disturb();
            return;
        }
        if (dice.chance(temper.faults().failovers())) {
            copies.failOver();
            return;
        }
        if (dice.chance(temper.faults().restores())) {
            copies.restore();
            return;
        }
        if (dice.chance(temper.routeChanges())) {
            changeRoutes();
            return;
        }
        SimulatedRoute route = routes.any();
        double choice = dice.share();
        if (choice < 0.24) {
            producers.step();
        } else if (choice < 0.62) {
            dice.pick(route.relays).run(anyStep());
        } else if (choice < 0.79) {
            route.transport.deliver();
        } else if (choice < 0.98) {
            route.transport.report();
        } else {
            operator.step(route);
        }
    }

    private void changeRoutes() {
        if (dice.chance(0.7)) {
            routes.add();
        } else {
            routes.retire();
        }
    }

    private Step anyStep() {
        double choice = dice.share();
        return choice < 0.12
                ? Step.LEASE
                : choice < 0.26
                        ? Step.READ_EVEN
                        : choice < 0.4 ? Step.READ_ODD : choice < 0.7 ? Step.ANSWERS : Step.FLUSH;
    }

    private void disturb() {
        SimulatedRoute route = routes.any();
        SimulatedRelay relay = dice.pick(route.relays);
        double choice = dice.share();
        if (choice < 0.25) {
            relay.paused = !relay.paused;
            log(() -> relay.name + (relay.paused ? " is paused" : " goes on"));
        } else if (choice < 0.4) {
            route.crash(relay);
        } else if (choice < 0.5) {
            if (relay.isStopping() && (relay.isDrained() || dice.chance(0.3))) {
                route.leave(relay);
            } else if (!relay.isStopping()) {
                relay.beginToStop();
            }
        } else if (choice < 0.6) {
            route.transport.outage = !route.transport.outage;
            log(() -> "the destination of " + route + (route.transport.outage ? " is down" : " is up"));
        } else if (choice < 0.7) {
            clock.passMillis(dice.between(500, 3_500));
        } else if (choice < 0.85) {
            boolean silent = route.transport.silence != Silence.NONE;
            route.transport.silence = silent ? Silence.NONE : dice.pick(List.of(Silence.values()));
            log(() -> "the destination of " + route + ": " + route.transport.silence);
        } else {
            log(() -> "the connection of " + relay.name + " breaks");
            route.transport.breakConnection(relay);
        }
    }

    // ---- healing

    private void heal() {
        log(() -> "everything heals");
        healing = true;
        producers.finish();
        routes.live.forEach(SimulatedRoute::heal);
        List<SimulatedRoute> busy = new ArrayList<>(routes.live);
        for (int round = 0; round < LONGEST_HEALING; round++) {
            clock.passMillis(dice.between(1, Math.min(30 + round * 12, 1_000)));
            busy.forEach(SimulatedRoute::turn);
            throwIfViolated();
            if (round % 5 == 0) {
                busy.removeIf(SimulatedRoute::isQuiet);
            }
            if (busy.isEmpty()) {
                return;
            }
        }
        throw new Violation(
                "I5 no progress:" + busy.stream().map(SimulatedRoute::describe).toList());
    }

    // ---- the trace

    SimulatedEvent eventOf(Event event) {
        SimulatedEvent known = events.get(event);
        if (known == null) {
            rememberEvents();
            known = events.get(event);
        }
        if (known == null) {
            throw new Violation("I2 invented: " + event);
        }
        return known;
    }

    void rememberEvents() {
        database.log.rows.forEach(row -> events.put(row.event, row));
    }

    void log(Supplier<String> line) {
        if (tracing) {
            trace.add("  ".repeat(depth) + clock.now() / 1_000_000 + " " + line.get());
        }
    }
}
