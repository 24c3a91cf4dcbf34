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
            counted.add(publication.watched(outcome -> {
                if (outcome instanceof Outcome.Accepted) {
                    sink.accept(publication.event());
                }
            }));
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
}
