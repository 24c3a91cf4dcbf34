package dev.posthorn.relay;

import dev.posthorn.relay.SimulatedRoute.Start;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The routes of a run: some from the start, others added later; one may be retired. At least one is always live. */
final class SimulatedRoutes {

    static final int MOST = 4;

    private final Simulation simulation;
    private final SimulatedLog log;
    private final Dice dice;
    private int created;
    /** Those that are not retired. */
    final List<SimulatedRoute> live = new ArrayList<>();

    SimulatedRoutes(Simulation simulation, int count) {
        this.simulation = simulation;
        this.log = simulation.database.log;
        this.dice = simulation.dice;
        for (int i = 0; i < count; i++) {
            start(new Start(Cursor.at(log.snapshot(), 0), 0, 0));
        }
    }

    SimulatedRoute any() {
        return dice.pick(live);
    }

    private SimulatedRoute start(Start at) {
        SimulatedRoute route = new SimulatedRoute(created++, simulation, at);
        live.add(route);
        route.startRelays();
        return route;
    }

    /** The statement takes its snapshot first; others go on before it reads the sequence and is committed. */
    void add() {
        String incarnation = simulation.database.incarnation();
        boolean fromNow = dice.chance(0.6);
        long begun = log.commits();
        Snapshot snapshot = simulation.database.isOff(StoreRule.A_ROUTE_STARTS_AT_A_SNAPSHOT)
                ? log.asIfNothingWereOpen()
                : log.snapshot();
        simulation.goOnFor(dice.between(0, 5));
        boolean failed = !incarnation.equals(simulation.database.incarnation());
        if (created < MOST && !failed) {
            Cursor cursor = Cursor.at(snapshot, fromNow ? log.lastSeq() : 0);
            SimulatedRoute route = start(new Start(cursor, begun, log.commits()));
            simulation.log(() -> route + " begins at " + cursor);
            if (!fromNow) {
                log.rows.stream().filter(SimulatedEvent::isCommitted).forEach(route::inherit);
            }
        }
    }

    void retire() {
        if (live.size() > 1) {
            SimulatedRoute route = any();
            simulation.log(() -> route + " is retired");
            live.remove(route);
            route.end();
        }
    }

    // ---- going back to an older copy

    Map<SimulatedRoute, RouteTables> copy() {
        Map<SimulatedRoute, RouteTables> copy = new LinkedHashMap<>();
        live.forEach(route -> copy.put(route, route.tables.copy()));
        return copy;
    }

    /** Those that the copy does not know are gone; those that were retired since then are back. */
    void become(Map<SimulatedRoute, RouteTables> copy) {
        List<SimulatedRoute> before = List.copyOf(live);
        live.clear();
        live.addAll(copy.keySet());
        before.stream().filter(route -> !live.contains(route)).forEach(SimulatedRoute::end);
        copy.forEach((route, tables) -> {
            route.tables.become(tables);
            route.invariants.wentBack();
        });
    }

    void startWhereNoneIs() {
        live.stream().filter(route -> route.relays.isEmpty()).forEach(SimulatedRoute::startRelays);
    }
}
