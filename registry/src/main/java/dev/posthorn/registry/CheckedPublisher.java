package dev.posthorn.registry;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.ScreenedPublisher;
import java.util.List;

/**
 * Another publisher, that publishes what the registry allows: also what was emitted by someone who does not check.
 *
 * <p>What breaks it is settled as refused, which makes it FAILED with the reason, and is not tried again. What passes is
 * published with the bytes that are stored. Thread-safe if the other is.
 *
 * <p>A payload that a {@link CheckedOutbox} has checked by the same contract is not parsed again. That it was is a statement of
 * the producer and no signature: a registry keeps mistakes out, not attackers.
 */
public final class CheckedPublisher implements Publisher {

    private final Publisher screened;
    private final Registry registry;
    private final Inspector inspector;

    public CheckedPublisher(Publisher publisher, Registry registry) {
        this.registry = registry;
        this.inspector = new Inspector(registry, "publish");
        this.screened = new ScreenedPublisher(publisher, this::passed);
    }

    private Event passed(Event event) {
        if (inspector.isDue(event)) {
            List<Violation> found = registry.checkUnlessStamped(event);
            if (!found.isEmpty() && inspector.refuses(event, found)) {
                throw new PosthornException("registry: " + UnregisteredEventException.text(found));
            }
        }
        return event;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        screened.publish(publications);
    }

    @Override
    public int longestRun() {
        return screened.longestRun();
    }

    @Override
    public void close() {
        screened.close();
    }
}
