package dev.posthorn.transports.postgreslog;

import dev.posthorn.transport.Arrival;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.time.Duration;
import java.util.Map;

/** An event that a member's relay brought; what the receiver says of it becomes the outcome. */
final class LogArrival implements Arrival {

    private static final Outcome LEFT = Outcome.unavailable("the subscription was closed");

    private final Publication publication;
    private final Map<String, String> metadata;

    LogArrival(Publication publication, Map<String, String> metadata) {
        this.publication = publication;
        this.metadata = metadata;
    }

    @Override
    public int attempt() {
        return publication.attempt();
    }

    @Override
    public Map<String, String> metadata() {
        return metadata;
    }

    @Override
    public void done() {
        publication.settle(Outcome.accepted());
    }

    /** The state of the event on its route has room for the reason only. */
    @Override
    public void reject(String reason, Map<String, String> about) {
        publication.settle(Outcome.refused(reason));
    }

    /** The route itself holds the key, brings the event again and remembers the attempt. */
    @Override
    public boolean retry(Duration after, String reason) {
        publication.settle(Outcome.failed(reason, after));
        return true;
    }

    @Override
    public void giveBack() {
        publication.settle(LEFT);
    }
}
