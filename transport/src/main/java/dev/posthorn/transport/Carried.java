package dev.posthorn.transport;

import dev.posthorn.event.Event;

/** A publication that carries another event than the one it was made for. */
record Carried(Publication publication, Event event) implements Publication {

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
        publication.settle(outcome);
    }
}
