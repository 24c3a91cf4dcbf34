package dev.posthorn.relay;

import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.relay.SimulatedRelay.Step;
import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** One route over the log, with all that is its own: rules, tables, destination, relays, and what it has promised. */
final class SimulatedRoute {

    /**
     * Where a route begins.
     *
     * @param cursor of every lane, as the database stores it
     * @param begun how many commits there had been when its creation began: nothing of those is its own
     * @param created how many there had been when it was there: all after that are its own
     */
    record Start(Cursor cursor, long begun, long created) {}

    final int number;
    final RouteFilter filter;
    final RoutePolicy policy;
    final RelayConfig config;
    final int longestRun;
    /** Its events are handled in the transaction that writes the checkpoint, instead of being published. */
    final boolean handling;

    final RouteTables tables;
    final SimulatedTransport transport;
    final Invariants invariants;
    final List<SimulatedRelay> relays = new ArrayList<>();
    private final Simulation simulation;
    private final Dice dice;
    private final Start start;
    private int started;
    private int pausedAt;

    SimulatedRoute(int number, Simulation simulation, Start start) {
        this.number = number;
        this.simulation = simulation;
        this.dice = simulation.dice;
        this.start = start;
        this.handling = simulation.temper.handles(dice);
        this.config = handling ? patient(config(dice)) : config(dice);
        this.policy = RoutePolicy.standard()
                .withRetry(RetryPolicy.fixed(3, Duration.ofMillis(dice.oneOf(20, 100, 400))))
                .withAfterDead(dice.chance(0.3) ? AfterDead.HOLD : AfterDead.CONTINUE);
        this.filter = dice.chance(0.3) ? RouteFilter.ofDomains("simulated") : RouteFilter.all();
        this.tables = new RouteTables(simulation.database, start.cursor());
        this.transport = new SimulatedTransport(simulation, this);
        this.invariants = new Invariants(simulation, this);
        this.longestRun = dice.oneOf(1, 2, 100);
    }

    /** As {@link Relay#startHandling} has it: nobody counts the time of a handler. */
    private static RelayConfig patient(RelayConfig config) {
        Duration forEver = Duration.ofDays(3_650);
        return config.withPublishTimeout(forEver)
                .withFlush(new RelayConfig.FlushPace(
                        config.flush().every(), config.flush().events(), forEver));
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

    @Override
    public String toString() {
        return "route " + number;
    }

    /** Since when it has been paused without a break, counted in what has happened; never, if it is not. */
    int pausedSince() {
        return tables.paused ? pausedAt : Integer.MAX_VALUE;
    }

    void pause(boolean wanted) {
        tables.paused = wanted;
        pausedAt = simulation.actions();
    }

    // ---- its events

    EventOnRoute of(SimulatedEvent event) {
        EventOnRoute known = event.onRoutes[number];
        if (known == null) {
            known = new EventOnRoute(dice, simulation.clock);
            event.onRoutes[number] = known;
        }
        return known;
    }

    /** The route was created to begin with what is there. */
    void inherit(SimulatedEvent event) {
        of(event).inherited = true;
    }

    /** Whether it must arrive. */
    boolean expects(SimulatedEvent event) {
        return event.isCommitted()
                && filter.wants(event.event)
                && (event.committedAt > start.created() || of(event).inherited)
                && !of(event).discarded;
    }

    /** Whether it may arrive. */
    boolean isOwn(SimulatedEvent event) {
        return filter.wants(event.event) && (event.committedAt > start.begun() || of(event).inherited);
    }

    // ---- its relays

    void startRelays() {
        int count = dice.between(1, 3);
        for (int i = 0; i < count; i++) {
            startRelay();
        }
    }

    private void startRelay() {
        relays.add(new SimulatedRelay("r" + number + "." + ++started, simulation, this));
    }

    void crash(SimulatedRelay relay) {
        relay.crash();
        replace(relay);
    }

    void crashAll() {
        List.copyOf(relays).forEach(this::crash);
    }

    /** None comes after them. */
    void end() {
        List<SimulatedRelay> last = List.copyOf(relays);
        relays.clear();
        last.forEach(SimulatedRelay::crash);
    }

    void leave(SimulatedRelay relay) {
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

    // ---- healing

    void heal() {
        transport.calm = true;
        transport.outage = false;
        transport.silence = SimulatedTransport.Silence.NONE;
        pause(false);
        relays.forEach(relay -> relay.paused = false);
        if (dice.chance(0.5)) {
            crashAll();
        }
    }

    void turn() {
        for (SimulatedRelay relay : List.copyOf(relays)) {
            turn(relay);
        }
        for (int i = 0; i < 6; i++) {
            transport.deliver();
            transport.report();
        }
    }

    private void turn(SimulatedRelay relay) {
        if (relay.isStopping() && relay.isDrained()) {
            leave(relay);
            return;
        }
        List<Step> steps = new ArrayList<>(List.of(Step.values()));
        Collections.shuffle(steps, new Random(dice.between(0, Integer.MAX_VALUE - 1)));
        steps.forEach(relay::run);
    }

    boolean isQuiet() {
        return transport.isQuiet() && invariants.isSettled() && relays.stream().allMatch(SimulatedRelay::isIdle);
    }

    String describe() {
        return " " + this + invariants.pending()
                + relays.stream().map(SimulatedRelay::describe).toList();
    }
}
