package dev.posthorn.relay;

import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayDeque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/** One relay process: the real steps, run in any order but each only once at a time, as if each had its thread. */
final class SimulatedRelay implements SimulatedStores.World {

    enum Step {
        LEASE,
        READ_EVEN,
        READ_ODD,
        ANSWERS,
        FLUSH
    }

    final String name;
    final RelayState state;
    private final Simulation simulation;
    private final SimulatedRoute route;
    private final ReadStep readEven;
    private final ReadStep readOdd;
    private final FlushStep flush;
    private final LeaseStep lease;
    private final @Nullable HandlingStep handling;
    private final Publisher wire;
    private final Set<Step> running = EnumSet.noneOf(Step.class);
    /** As they are nested: the last one is at work. */
    private final ArrayDeque<Step> nested = new ArrayDeque<>();
    /** Steps whose threads were left with the flag of an interrupt by something they called. */
    private final Set<Step> interrupted = EnumSet.noneOf(Step.class);
    /** Lanes in memory, and when the step began that loaded them. */
    private final Map<Lane, Integer> loaded = new WeakHashMap<>();

    final OutageChecks outages = new OutageChecks(this);
    boolean paused;
    /** When the last step began that may load lanes. */
    private int loading;

    private boolean crashed;
    private boolean left;

    /** Often hardly enough for a few events, or for one large one at a time. */
    private static MemoryBudget.Account memory(long origin) {
        return switch ((int) Math.floorMod(origin / 1_000_000_000L, 3L)) {
            case 0 -> MemoryBudget.unlimited();
            case 1 -> new MemoryBudget(8_000).open(() -> {});
            default -> new MemoryBudget(64_000).open(() -> {});
        };
    }

    SimulatedRelay(String name, Simulation simulation, SimulatedRoute route) {
        this.name = name;
        this.simulation = simulation;
        this.route = route;
        Answers answers = new Answers(() -> {});
        // Not a whole millisecond: no time of this relay is exactly 0, which would mean "at once".
        long origin = simulation.dice.between(-5_000, 5_000) * 1_000_000_000L + 1;
        Workshop shop = new Workshop(
                route.config,
                route.policy,
                route.filter,
                new SendQueue(route.config, answers, memory(origin)),
                new Counters(),
                () -> {
                    mayRunOutOfMemory();
                    return simulation.clock.now() + origin;
                },
                simulation.dice.generator(),
                simulation.off);
        this.wire = route.handling ? new HandlingQueue(() -> {}) : new Wire();
        this.state = new RelayState(shop, answers, wire, new RelayLog("orders", name));
        SimulatedStores stores = new SimulatedStores(name, simulation.database, route, this);
        Relay.Stores ports = new Relay.Stores("orders", name, stores, stores, stores);
        this.readEven = new ReadStep(state, ports, 0, 2);
        this.readOdd = new ReadStep(state, ports, 1, 2);
        this.flush = new FlushStep(state, ports);
        this.lease = new LeaseStep(state, stores, name);
        this.handling = wire instanceof HandlingQueue queue ? new HandlingStep(state, stores::handle, queue) : null;
        this.state.splitsReads = route.handling;
    }

    /** Takes what the engine sends to its route's transport. */
    private final class Wire implements Publisher {
        /** Where it fails, any part of the events may be on their way. */
        @Override
        public void publish(List<? extends Publication> publications) {
            simulation.remembering(() -> {
                publications.forEach(one -> outages.sent((Sent) one, simulation.eventOf(one.event())));
                simulation.goOn();
                failIfCrashed();
                boolean fails = simulation.storeFails();
                int sent = fails ? simulation.dice.between(0, publications.size()) : publications.size();
                route.transport.send(SimulatedRelay.this, publications.subList(0, sent));
                simulation.goOn();
                failIfCrashed();
                if (fails) {
                    fail("publish");
                }
            });
        }

        @Override
        public int longestRun() {
            if (simulation.storeFails()) {
                fail("longestRun");
            }
            return route.longestRun;
        }

        @Override
        public void close() {}
    }

    boolean isOver() {
        return crashed || left;
    }

    /** Answers reach it, or nobody any more. */
    boolean listens() {
        return !paused || isOver();
    }

    void run(Step step) {
        if (isOver() || paused || !running.add(step)) {
            return;
        }
        if (!simulation.isHealing()) {
            simulation.log(() -> name + " " + step);
        }
        loading = step == Step.READ_EVEN ? simulation.actions() : loading;
        nested.addLast(step);
        guarded(() -> {
            switch (step) {
                case LEASE -> lease.runOnce();
                case READ_EVEN -> readEven.runOnce();
                case READ_ODD -> readOdd.runOnce();
                case ANSWERS -> settleAnswers();
                case FLUSH -> flushTurn();
            }
        });
        nested.removeLast();
        interrupted.remove(step); // as its loop does after each turn
        running.remove(step);
        state.lanes().forEach(lane -> loaded.putIfAbsent(lane, loading));
        outages.lookForCharges();
        route.invariants.lookForDroppedLanes();
    }

    /** When the step began that loaded a lane; it may be under way. */
    int loadedAt(Lane lane) {
        return loaded.getOrDefault(lane, loading);
    }

    private void flushTurn() {
        if (handling != null) {
            boolean unused = handling.runOnce();
        }
        boolean unused = flush.runOnce();
    }

    /** Whoever waits as the send queue says must not be told to come back at once for nothing. */
    private void settleAnswers() {
        int actions = simulation.actions();
        int openings = state.shop().sendQueue().breaker.openings();
        int answers = state.settleAnswers();
        Long wake = state.shop().sendQueue().nextWake(state.shop().now());
        boolean undisturbed = actions == simulation.actions();
        if (undisturbed && handling == null) {
            outages.tookAnswers(state.shop().now(), openings);
        }
        if (undisturbed
                && answers == 0
                && wake != null
                && Nanos.reached(wake, state.shop().now())) {
            throw new Violation("I7 the relay would spin: " + describe());
        }
    }

    private void guarded(Runnable step) {
        try {
            step.run();
        } catch (SimulatedCrash crash) {
            simulation.log(() -> name + " ends");
        } catch (StoreException | RolledBackException unsure) {
            simulation.log(() -> name + " sees a failed call: " + unsure.getMessage());
        } catch (Violation broken) {
            throw broken;
        } catch (Throwable thrown) {
            if (!(thrown instanceof SimulatedFault)) {
                throw new Violation("a step of the engine threw " + thrown, thrown);
            }
            simulation.log(() -> name + " sees a fault: " + thrown.getMessage());
        }
    }

    /** The process ends at once; what is on the stack of it unwinds when it comes back. */
    void crash() {
        simulation.log(() -> name + " CRASHES");
        crashed = true;
        route.invariants.lookForDroppedLanes();
    }

    // ---- stopping, as Relay.close does it

    void beginToStop() {
        simulation.log(() -> name + " begins to stop");
        state.locked(() -> {
            state.stopping = true;
            state.lanes().forEach(lane -> lane.drain(true));
        });
        if (handling != null) {
            wire.close();
        }
    }

    boolean isStopping() {
        return state.stopping;
    }

    boolean isDrained() {
        SendQueue queue = state.shop().sendQueue();
        // Whose handler is closed can not drain: what waits is left to the next relay.
        boolean outage = handling != null && (queue.isHeldUp() || queue.breaker.isOpen());
        return state.lanes().stream().allMatch(lane -> lane.isDrained() || (outage && lane.inFlight == 0));
    }

    /** Its loops have ended, all but that of the answers. */
    void finishStopping() {
        Set<Step> ended = EnumSet.complementOf(EnumSet.of(Step.ANSWERS));
        boolean outlasted = running.equals(EnumSet.of(Step.FLUSH)) && simulation.dice.chance(0.5);
        if (isOver() || paused || (running.stream().anyMatch(ended::contains) && !outlasted)) {
            return;
        }
        running.addAll(ended);
        simulation.log(() -> name + " writes its last flush and leaves");
        guarded(() -> {
            if (handling == null) {
                guarded(flush::flushLast);
            }
            lease.leave();
        });
        left = true;
        route.invariants.lookForDroppedLanes();
    }

    /** Nothing of it is under way, and nothing leaks. */
    boolean isIdle() {
        boolean drained = state.lanes().stream()
                .allMatch(lane ->
                        lane.isDrained() && lane.attempts.isEmpty() && lane.heldEvents == 0 && lane.heldBytes == 0);
        return drained && !isStopping() && state.shop().sendQueue().inFlight() == 0;
    }

    String describe() {
        StringBuilder text = new StringBuilder(name + (isStopping() ? " stopping" : ""));
        state.lanes()
                .forEach(lane -> text.append(" [lane ")
                        .append(lane.number())
                        .append(lane.draining ? " draining" : "")
                        .append(" held ")
                        .append(lane.heldEvents)
                        .append(" in flight ")
                        .append(lane.inFlight)
                        .append(" attempts ")
                        .append(lane.attempts.size())
                        .append(" bytes ")
                        .append(lane.heldBytes)
                        .append(" blocked ")
                        .append(lane.blocked.keySet())
                        .append(lane.changed ? " changed" : "")
                        .append(" unsent ")
                        .append(lane.batches.stream()
                                .flatMap(batch -> batch.items.stream())
                                .map(item -> item.seq() + " " + item.state)
                                .toList())
                        .append("]"));
        return text + " leases " + state.leases() + " in flight "
                + state.shop().sendQueue().inFlight() + " breaker "
                + state.shop().sendQueue().breaker.reason() + "; ";
    }

    // ---- what happens around its calls

    @Override
    public void goesOn(String call) {
        simulation.goOn();
        failIfCrashed();
        if (isInterrupted()) {
            throw new StoreException(call + " got no connection: interrupted", null);
        }
        if (simulation.storeFails()) {
            fail(call);
        }
    }

    /** In any way in which a call may fail; or it succeeds and leaves the flag of an interrupt behind. */
    private void fail(String call) {
        double choice = simulation.dice.share();
        if (choice < 0.1 && !nested.isEmpty()) {
            interrupted.add(nested.getLast());
        } else if (choice < 0.5) {
            throw new StoreException(call + " was not answered", null);
        } else {
            SimulatedFault.raise(SimulatedFault.any(simulation.dice, call + " was not answered"));
        }
    }

    private boolean isInterrupted() {
        return !nested.isEmpty() && interrupted.contains(nested.getLast());
    }

    /** Anywhere in the engine: the clock is asked in all of it. */
    private void mayRunOutOfMemory() {
        if (!nested.isEmpty() && simulation.runsOutOfMemory()) {
            simulation.log(() -> name + " runs out of memory");
            throw new SimulatedFault.Fatal("out of memory");
        }
    }

    @Override
    public void mayStall() {
        if (simulation.dice.chance(simulation.temper.faults().flushStalls())) {
            simulation.goOnForLong();
            failIfCrashed();
        }
    }

    private void failIfCrashed() {
        if (crashed) {
            throw new SimulatedCrash();
        }
    }

    @Override
    public void beforeChange() {
        route.invariants.lookForDroppedLanes();
    }

    @Override
    public void afterChange() {
        route.invariants.databaseChanged(this);
    }

    @Override
    public boolean happens(double probability) {
        return simulation.dice.chance(probability);
    }
}
