package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Swallows some publications without an answer, as a lost connection would. */
final class DroppingPublisher implements Publisher {

    private final Publisher next;
    private final Predicate<Event> drop;

    DroppingPublisher(Publisher next, Predicate<Event> drop) {
        this.next = next;
        this.drop = drop;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        List<Publication> kept = new ArrayList<>();
        for (Publication publication : publications) {
            if (!drop.test(publication.event())) {
                kept.add(publication);
            }
        }
        next.publish(kept);
    }

    @Override
    public void close() {
        next.close();
    }
}
