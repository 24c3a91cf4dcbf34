package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.util.ArrayList;
import java.util.List;

/** The destination and the network before it: messages travel, arrive or not, and are answered late, wrongly or never. */
final class SimulatedTransport {

    /** A publish call on its way. */
    private static final class Message {
        final SimulatedRelay from;
        final Sent sent;
        final SimulatedEvent event;
        boolean answered;

        Message(SimulatedRelay from, Sent sent, SimulatedEvent event) {
            this.from = from;
            this.sent = sent;
            this.event = event;
        }
    }

    private record Answer(Message to, Outcome outcome) {}

    private final Simulation simulation;
    private final Dice dice;
    private final List<Message> travelling = new ArrayList<>();
    private final List<Answer> answers = new ArrayList<>();
    boolean outage;
    /** Nothing gets lost any more. */
    boolean calm;

    SimulatedTransport(Simulation simulation, Dice dice) {
        this.simulation = simulation;
        this.dice = dice;
    }

    boolean isQuiet() {
        return travelling.isEmpty() && answers.isEmpty();
    }

    void send(SimulatedRelay from, List<? extends Publication> publications) {
        for (Publication publication : publications) {
            Sent sent = (Sent) publication;
            SimulatedEvent event = simulation.eventOf(sent.event());
            simulation.invariants.sent(from, sent, event);
            simulation.log(
                    () -> from.name + " sends " + event + " attempt " + sent.attempt() + " as " + sent.item.origin);
            travelling.add(new Message(from, sent, event));
        }
    }

    /** One message goes on. */
    void deliver() {
        if (travelling.isEmpty()) {
            return;
        }
        Message message = travelling.remove(dice.between(0, travelling.size() - 1));
        double luck = calm ? 1 : dice.share();
        if (luck < 0.05) {
            answer(message, Outcome.unknown("timed out under way"));
            travelling.add(message);
        } else if (luck < 0.09) {
            answer(message, Outcome.unknown("lost under way"));
        } else if (luck < 0.1) {
            simulation.log(() -> message.event + " is lost without a word");
        } else {
            decide(message);
        }
    }

    private void decide(Message message) {
        SimulatedEvent event = message.event;
        if (outage) {
            answer(message, Outcome.unavailable("down"));
        } else if (event.refusedUntil > simulation.clock.now()) {
            event.refusals++;
            answer(message, Outcome.refused("not now"));
        } else if (event.failures > 0) {
            event.failures--;
            answer(message, Outcome.failed("failed"));
        } else {
            arrive(message);
        }
    }

    private void arrive(Message message) {
        simulation.log(() -> "ARRIVED " + message.event);
        simulation.invariants.arrived(message.event);
        boolean forgotten = message.answered || message.sent.isSettled();
        double luck = calm ? 1 : dice.share();
        if (forgotten || luck < 0.06) {
            simulation.invariants.allowDuplicate(message.event, "its arrival is not known");
        }
        if (luck < 0.02) {
            return;
        }
        answer(message, luck < 0.06 ? Outcome.unknown("the answer was lost") : Outcome.accepted());
    }

    private void answer(Message message, Outcome outcome) {
        if (!message.answered) {
            message.answered = true;
            answers.add(new Answer(message, outcome));
        }
    }

    /** One answer comes back. */
    void report() {
        List<Answer> possible =
                answers.stream().filter(answer -> answer.to().from.listens()).toList();
        if (possible.isEmpty()) {
            return;
        }
        Answer answer = dice.pick(possible);
        answers.remove(answer);
        Message message = answer.to();
        simulation.log(() -> message.from.name + " hears " + answer.outcome() + " about " + message.event);
        boolean accepted = answer.outcome() instanceof Outcome.Accepted;
        if (accepted && message.sent.isSettled()) {
            simulation.invariants.allowDuplicate(message.event, "its arrival was reported too late");
        } else if (accepted) {
            simulation.invariants.accepted(message.sent, message.event);
        }
        message.sent.settle(answer.outcome());
    }
}
