package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.relay.SimulatedRelay.Step;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
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
    final RelayConfig config;
    final RoutePolicy policy;
    final RouteFilter filter;
    final SimulatedDatabase database;
    final SimulatedTransport transport;
    final Invariants invariants;
    final int longestRun;
    private final SimulatedProducers producers;
    private final SimulatedOperator operator;
    private final Set<Safeguard> off;
    private final List<SimulatedRelay> relays = new ArrayList<>();
    private final List<String> trace = new ArrayList<>();
    private final boolean tracing;
    final Temper temper;
    private final IdentityHashMap<Event, SimulatedEvent> events = new IdentityHashMap<>();
    private SimulatedDatabase.@Nullable Copy replica;
    private int started;
    private int depth;
    private int actions;
    private boolean healing;

    private Simulation(long seed, Set<Safeguard> off, Set<StoreRule> storeOff, boolean tracing) {
        this.dice = new Dice(seed);
        this.off = off;
        this.tracing = tracing;
        this.temper = Temper.of(dice, off, storeOff);
        this.config = config(dice);
        this.policy = RoutePolicy.standard()
                .withRetry(RetryPolicy.fixed(3, Duration.ofMillis(dice.oneOf(20, 100, 400))))
                .withAfterDead(dice.chance(0.3) ? AfterDead.HOLD : AfterDead.CONTINUE);
        this.filter = dice.chance(0.3) ? RouteFilter.ofDomains("simulated") : RouteFilter.all();
        this.database = new SimulatedDatabase(2, clock, filter, storeOff);
        this.transport = new SimulatedTransport(this, dice);
        this.invariants = new Invariants(this);
        this.longestRun = dice.oneOf(1, 2, 100);
        this.producers = new SimulatedProducers(database.log, clock, dice, temper.bulky());
        this.operator = new SimulatedOperator(this);
        int count = dice.between(1, 3);
        for (int i = 0; i < count; i++) {
            startRelay();
        }
    }

    private static RelayConfig config(Dice dice) {
        return new RelayConfig(
                Duration.ofMillis(dice.oneOf(1_000, 1_500, 3_000)),
                Duration.ofMillis(dice.oneOf(200, 600, 1_500)),
                dice.oneOf(1, 2, 4),
                new RelayConfig.LaneLimit(dice.oneOf(3, 5, 12), dice.oneOf(1_500, 1_000_000)),
                new RelayConfig.FlushPace(
                        Duration.ofMillis(dice.oneOf(0, 10, 50)),
                        dice.oneOf(1, 5, 20),
                        Duration.ofMillis(dice.oneOf(20, 100, 2_000))),
                dice.oneOf(1, 3, 100),
                dice.oneOf(1, 2, 100),
                Duration.ofMillis(500));
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
                violation,
                simulation.database.log.rows.size(),
                simulation.invariants.duplicates(),
                List.copyOf(simulation.trace));
    }

    private void run() {
        int most = dice.oneOf(250, 600);
        while (actions < most) {
            act();
        }
        heal();
        invariants.checkTheEnd();
    }

    // ---- the world

    /** Around a call of a relay: others go on, mostly a little, sometimes for so long that leases run out. */
    void goOn() {
        if (healing || depth >= DEEPEST || !dice.chance(depth == 0 ? 0.25 : 0.08)) {
            return;
        }
        act(dice.chance(temper.stalls()) ? dice.between(20, 90) : dice.between(1, 4));
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

    boolean isHealing() {
        return healing;
    }

    boolean storeFails() {
        return !healing && dice.chance(temper.storeFaults());
    }

    private void act() {
        actions++;
        clock.passMillis(dice.chance(0.85) ? dice.between(0, 12) : dice.between(0, 120));
        if (dice.chance(temper.disturbances())) {
            disturb();
            return;
        }
        if (dice.chance(temper.failovers())) {
            failOver();
            return;
        }
        double choice = dice.share();
        if (choice < 0.24) {
            producers.step();
        } else if (choice < 0.62) {
            dice.pick(relays).run(anyStep());
        } else if (choice < 0.79) {
            transport.deliver();
        } else if (choice < 0.98) {
            transport.report();
        } else {
            operator.step();
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
        SimulatedRelay relay = dice.pick(relays);
        double choice = dice.share();
        if (choice < 0.25) {
            relay.paused = !relay.paused;
            log(() -> relay.name + (relay.paused ? " is paused" : " goes on"));
        } else if (choice < 0.4) {
            crash(relay);
        } else if (choice < 0.5) {
            if (relay.isStopping() && (relay.isDrained() || dice.chance(0.3))) {
                leave(relay);
            } else if (!relay.isStopping()) {
                relay.beginToStop();
            }
        } else if (choice < 0.6) {
            transport.outage = !transport.outage;
            log(() -> transport.outage ? "the destination is down" : "the destination is up");
        } else if (choice < 0.7) {
            clock.passMillis(dice.between(500, 3_500));
        }
    }

    private void crash(SimulatedRelay relay) {
        relay.crash();
        replace(relay);
    }

    private void leave(SimulatedRelay relay) {
        relay.finishStopping();
        if (relay.isOver()) {
            replace(relay);
        }
    }

    private void replace(SimulatedRelay relay) {
        if (relays.remove(relay)) {
            startRelay();
        }
    }

    private void startRelay() {
        relays.add(new SimulatedRelay("r" + ++started, this, off));
    }

    private void failOver() {
        SimulatedDatabase.Copy copy = replica;
        if (copy == null) {
            replica = database.copy();
        } else if (dice.chance(0.5)) {
            log(() -> "FAILOVER");
            replica = null;
            rememberEvents();
            invariants.failedOver = true;
            producers.disconnect();
            database.failOverTo(copy);
        }
    }

    // ---- healing

    private void heal() {
        log(() -> "everything heals");
        healing = true;
        transport.calm = true;
        transport.outage = false;
        database.paused = false;
        producers.finish();
        relays.forEach(relay -> relay.paused = false);
        if (dice.chance(0.5)) {
            List.copyOf(relays).forEach(this::crash);
        }
        for (int round = 0; round < LONGEST_HEALING; round++) {
            clock.passMillis(dice.between(1, round < 300 ? 60 : 1_000));
            for (SimulatedRelay relay : List.copyOf(relays)) {
                turn(relay);
            }
            for (int i = 0; i < 6; i++) {
                transport.deliver();
                transport.report();
            }
            if (round % 10 == 0 && isQuiet()) {
                return;
            }
        }
        throw new Violation("I5 no progress:" + invariants.pending()
                + relays.stream().map(SimulatedRelay::describe).toList());
    }

    private void turn(SimulatedRelay relay) {
        if (relay.isStopping() && relay.isDrained()) {
            leave(relay);
            return;
        }
        List<Step> steps = new ArrayList<>(List.of(Step.values()));
        Collections.shuffle(steps, new java.util.Random(dice.between(0, Integer.MAX_VALUE - 1)));
        steps.forEach(relay::run);
    }

    private boolean isQuiet() {
        return transport.isQuiet() && invariants.isSettled() && relays.stream().allMatch(SimulatedRelay::isIdle);
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
