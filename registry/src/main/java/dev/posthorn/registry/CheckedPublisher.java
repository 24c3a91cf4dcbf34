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
 * published as it is. Thread-safe if the other is.
 */
public final class CheckedPublisher implements Publisher {

    private final Publisher screened;
    private final Inspector inspector;

    public CheckedPublisher(Publisher publisher, Registry registry) {
        this.inspector = new Inspector(registry, "publish");
        this.screened = new ScreenedPublisher(publisher, this::passed);
    }

    private Event passed(Event event) {
        List<Violation> found = inspector.refusals(event);
        if (!found.isEmpty()) {
            throw new PosthornException("registry: " + UnregisteredEventException.text(found));
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
