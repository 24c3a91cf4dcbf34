package dev.posthorn.demo;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;

/**
 * A destination with faults in front of one without.
 *
 * <p>What becomes of an event depends on the seed, its key and its sequence alone, so an attempt more changes nothing
 * but the count. Thread-safe.
 */
final class FaultyPublisher implements Publisher {

    private static final int MOST_FAILURES = 4;

    private final Publisher destination;
    private final Faults faults;
    private final Outages outages;

    FaultyPublisher(Publisher destination, Faults faults) {
        this.destination = destination;
        this.faults = faults;
        this.outages = new Outages(faults.outage(), faults.outageEvery(), faults.seed());
    }

    long outages() {
        return outages.count();
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        if (outages.isNow()) {
            publications.forEach(publication -> publication.settle(Outcome.unavailable("the demo's outage")));
            return;
        }
        List<Publication> passed = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            int failures = failuresOf(publication.event());
            if (lot(publication.event(), 1) < faults.refuseRate()) {
                publication.settle(Outcome.refused("the demo refuses this one for good"));
            } else if (publication.attempt() <= failures) {
                publication.settle(Outcome.failed("the demo lets the first " + failures + " attempts fail"));
            } else if (publication.attempt() == 1 && lot(publication.event(), 2) < faults.lostAnswers()) {
                passed.add(new Unanswered(publication));
            } else {
                passed.add(publication);
            }
        }
        if (!passed.isEmpty()) {
            destination.publish(passed);
        }
    }

    @Override
    public void close() {
        destination.close();
    }

    private int failuresOf(Event event) {
        double lot = lot(event, 3);
        return lot < faults.failRate() ? 1 + (int) (lot / faults.failRate() * MOST_FAILURES) : 0;
    }

    /** A number from 0 to 1 that is always the same for this event and question. */
    private double lot(Event event, long question) {
        long mixed = faults.seed() + question * 0x9E3779B97F4A7C15L;
        mixed = mix(mixed ^ event.key().orElse("").hashCode());
        mixed = mix(mixed ^ event.sequence().orElse(0));
        return (mixed >>> 11) * 0x1.0p-53;
    }

    /** The finaliser of SplittableRandom: every bit depends on every other. */
    private static long mix(long bits) {
        long z = (bits ^ (bits >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** It arrives, but whoever sent it does not hear so. */
    private record Unanswered(Publication publication) implements Publication {

        @Override
        public Event event() {
            return publication.event();
        }

        @Override
        public int attempt() {
            return publication.attempt();
        }

        @Override
        public boolean isRedriven() {
            return publication.isRedriven();
        }

        @Override
        public void settle(Outcome outcome) {
            publication.settle(
                    outcome.equals(Outcome.ACCEPTED) ? Outcome.unknown("the demo lost the answer") : outcome);
        }
    }
}
