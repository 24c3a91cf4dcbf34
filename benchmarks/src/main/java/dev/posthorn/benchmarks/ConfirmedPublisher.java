package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Tells a sink of each event that was accepted, before the relay learns of it. */
record ConfirmedPublisher(Publisher publisher, Consumer<Event> sink) implements Publisher {

    @Override
    public void publish(List<? extends Publication> publications) {
        List<Publication> counted = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            counted.add(new Counted(publication, sink));
        }
        publisher.publish(counted);
    }

    @Override
    public int longestRun() {
        return publisher.longestRun();
    }

    @Override
    public void close() {
        publisher.close();
    }

    private record Counted(Publication publication, Consumer<Event> sink) implements Publication {

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
            if (outcome instanceof Outcome.Accepted) {
                sink.accept(publication.event());
            }
            publication.settle(outcome);
        }
    }
}
