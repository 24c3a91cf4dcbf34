package dev.posthorn.demo;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A destination that lies once: it accepts an event and does something else with it. */
final class Saboteur implements Publisher {

    /** What it does. */
    enum Crime {
        NONE,
        DROP,
        SWAP,
        INVENT,
        REPEAT
    }

    private static final int VICTIM = 100;

    private final Publisher destination;
    private final Crime crime;
    private final AtomicInteger seen = new AtomicInteger();
    private @Nullable Event heldBack;

    Saboteur(Publisher destination, Crime crime) {
        this.destination = destination;
        this.crime = crime;
    }

    @Override
    public synchronized void publish(List<? extends Publication> publications) {
        List<Publication> passed = new ArrayList<>();
        for (Publication publication : publications) {
            if (seen.incrementAndGet() == VICTIM) {
                commit(publication, passed);
            } else {
                passed.add(publication);
                releaseBehind(publication, passed);
            }
        }
        destination.publish(passed);
    }

    private void commit(Publication publication, List<Publication> passed) {
        Event event = publication.event();
        switch (crime) {
            case NONE -> passed.add(publication);
            case DROP -> publication.settle(Outcome.accepted());
            case SWAP -> {
                heldBack = event;
                publication.settle(Outcome.accepted());
            }
            case INVENT -> {
                passed.add(publication);
                passed.add(new Forged(copyWithAnotherId(event)));
            }
            case REPEAT -> {
                passed.add(publication);
                passed.add(new Forged(event));
            }
        }
    }

    private void releaseBehind(Publication publication, List<Publication> passed) {
        Event first = heldBack;
        if (first != null && publication.event().key().equals(first.key())) {
            passed.add(new Forged(first));
            heldBack = null;
        }
    }

    /** As if of a transaction that rolled back: same account and version, but not the event in the books. */
    private static Event copyWithAnotherId(Event event) {
        return Event.of(event.domain(), event.type())
                .key(event.key().orElseThrow())
                .sequence(event.sequence().orElseThrow())
                .correlationId(event.correlationId().orElseThrow())
                .build();
    }

    @Override
    public void close() {
        destination.close();
    }

    private record Forged(Event event) implements Publication {

        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public void settle(Outcome outcome) {}
    }
}
