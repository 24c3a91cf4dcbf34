package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The destination and the network before it: messages travel, arrive or not, and are answered late, wrongly or never. */
final class SimulatedTransport {

    /** Who gets no answer. */
    enum Silence {
        NONE,
        /** Everything stands still, and goes on later. */
        FROZEN,
        /** All of it arrives, and no answer comes back. */
        MUTE,
        /** The same for half of the keys. */
        HALF_MUTE
    }

    /** One event of a publish call on its way. */
    private static final class Message {
        final SimulatedRelay from;
        final Sent sent;
        final SimulatedEvent event;

        @Nullable
        Outcome outcome;

        Message(SimulatedRelay from, Sent sent, SimulatedEvent event) {
            this.from = from;
            this.sent = sent;
            this.event = event;
        }
    }

    private final Simulation simulation;
    private final SimulatedRoute route;
    private final Dice dice;
    /** Runs, most of them of one event. */
    private final List<List<Message>> travelling = new ArrayList<>();

    private final List<ArrayDeque<Message>> answers = new ArrayList<>();
    boolean outage;
    Silence silence = Silence.NONE;
    /** Nothing gets lost any more. */
    boolean calm;

    SimulatedTransport(Simulation simulation, SimulatedRoute route) {
        this.simulation = simulation;
        this.route = route;
        this.dice = simulation.dice;
    }

    boolean isQuiet() {
        return travelling.isEmpty() && answers.isEmpty();
    }

    void send(SimulatedRelay from, List<? extends Publication> publications) {
        Map<Object, List<Message>> runs = new LinkedHashMap<>();
        for (Publication publication : publications) {
            Sent sent = (Sent) publication;
            SimulatedEvent event = simulation.eventOf(sent.event());
            route.invariants.sent(from, sent, event);
            simulation.log(
                    () -> from.name + " sends " + event + " attempt " + sent.attempt() + " as " + sent.item.origin);
            runs.computeIfAbsent(event.key == null ? sent : event.key, any -> new ArrayList<>())
                    .add(new Message(from, sent, event));
        }
        travelling.addAll(runs.values());
    }

    /** One run goes on. */
    void deliver() {
        if (travelling.isEmpty() || silence == Silence.FROZEN) {
            return;
        }
        List<Message> run = travelling.remove(dice.between(0, travelling.size() - 1));
        double luck = calm ? 1 : dice.share();
        if (luck < 0.05) {
            answer(run, Outcome.unknown("timed out under way"));
            travelling.add(run);
        } else if (luck < 0.09) {
            answer(run, Outcome.unknown("lost under way"));
        } else if (luck < 0.1) {
            simulation.log(() -> run.get(0).event + " is lost without a word");
        } else {
            arrive(run);
        }
    }

    /** One after the other, until one does not go through. */
    private void arrive(List<Message> run) {
        boolean known = run.get(0).outcome == null;
        int broken = calm ? run.size() : dice.chance(0.1) ? dice.between(1, run.size()) : run.size();
        List<Outcome> outcomes = new ArrayList<>();
        for (Message message : run.subList(0, broken)) {
            Outcome outcome = decide(message);
            outcomes.add(outcome);
            if (!(outcome instanceof Outcome.Accepted) && !simulation.database.isOff(StoreRule.RUNS_STOP)) {
                break;
            }
        }
        answer(run, outcomes, known);
    }

    SimulatedEvent eventOf(Publication publication) {
        return simulation.eventOf(publication.event());
    }

    /** What a handler makes of it; whether that is kept is decided at the end of its transaction. */
    Outcome handle(Publication publication, SimulatedEvent event) {
        route.invariants.check((Sent) publication, event);
        simulation.log(() -> "handling " + event + " by " + route);
        return decide(route.of(event));
    }

    private Outcome decide(Message message) {
        Outcome outcome = decide(route.of(message.event));
        if (outcome instanceof Outcome.Accepted) {
            simulation.log(() -> "ARRIVED " + message.event + " by " + route);
            route.invariants.arrived(message.event);
        }
        return outcome;
    }

    private Outcome decide(EventOnRoute event) {
        if (outage) {
            return Outcome.unavailable("down");
        } else if (event.refusedUntil > simulation.clock.now()) {
            event.refusals++;
            return Outcome.refused("not now");
        } else if (event.failures > 0) {
            event.failures--;
            return Outcome.failed("failed");
        }
        return Outcome.accepted();
    }

    /** What comes back of it: all of it, or only up to somewhere. */
    private void answer(List<Message> run, List<Outcome> outcomes, boolean known) {
        double luck = calm ? 1 : dice.share();
        double lost = simulation.temper.lostAnswers();
        boolean silent = luck < lost || isMute(run.get(0).event);
        int heard = silent ? 0 : luck < lost + 0.04 ? dice.between(0, run.size() - 1) : run.size();
        for (int i = 0; i < run.size(); i++) {
            Message message = run.get(i);
            Outcome outcome = i < outcomes.size() ? outcomes.get(i) : untried(i, outcomes);
            boolean arrived = outcome instanceof Outcome.Accepted;
            if (arrived && (!known || message.sent.isSettled() || i >= heard)) {
                route.invariants.allowDuplicate(message.event, "its arrival is not known");
            }
            message.outcome = known ? i < heard ? outcome : Outcome.unknown("the answer was lost") : message.outcome;
        }
        if (known && !silent) {
            answers.add(new ArrayDeque<>(run));
        }
    }

    private boolean isMute(SimulatedEvent event) {
        boolean half = event.key == null ? event.seq % 2 == 0 : event.key.hashCode() % 2 == 0;
        return silence == Silence.MUTE || (silence == Silence.HALF_MUTE && half);
    }

    /** The connection of a relay breaks: nothing is known of what it has under way, which may arrive. */
    void breakConnection(SimulatedRelay relay) {
        for (List<Message> run : List.copyOf(travelling)) {
            if (run.get(0).from == relay) {
                answer(run, Outcome.unknown("the connection broke"));
                if (dice.chance(0.5)) {
                    travelling.remove(run);
                }
            }
        }
    }

    /** The truth about the first that did not go through, anything about those behind it. */
    private Outcome untried(int place, List<Outcome> tried) {
        if (place == tried.size() && tried.stream().allMatch(outcome -> outcome instanceof Outcome.Accepted)) {
            return Outcome.unknown("broken off");
        }
        return switch (dice.between(0, 2)) {
            case 0 -> Outcome.failed("behind");
            case 1 -> Outcome.unknown("behind");
            default -> Outcome.refused("behind");
        };
    }

    private void answer(List<Message> run, Outcome outcome) {
        if (run.get(0).outcome == null) {
            run.forEach(message -> message.outcome = outcome);
            answers.add(new ArrayDeque<>(run));
        }
    }

    /** One answer comes back, or all of a run. */
    void report() {
        if (silence == Silence.FROZEN) {
            return;
        }
        List<ArrayDeque<Message>> possible =
                answers.stream().filter(run -> run.getFirst().from.listens()).toList();
        if (possible.isEmpty()) {
            return;
        }
        ArrayDeque<Message> run = dice.pick(possible);
        do {
            report(run.removeFirst());
        } while (!run.isEmpty() && dice.chance(0.6));
        answers.removeIf(ArrayDeque::isEmpty);
    }

    private void report(Message message) {
        Outcome outcome = Objects.requireNonNull(message.outcome);
        simulation.log(() -> message.from.name + " hears " + outcome + " about " + message.event);
        boolean accepted = outcome instanceof Outcome.Accepted;
        if (accepted && message.sent.isSettled()) {
            route.invariants.allowDuplicate(message.event, "its arrival was reported too late");
        } else if (accepted) {
            route.invariants.accepted(message.sent, message.event);
        }
        message.from.outages.hears(message.sent, outcome, message.event);
        message.sent.settle(outcome);
    }
}
