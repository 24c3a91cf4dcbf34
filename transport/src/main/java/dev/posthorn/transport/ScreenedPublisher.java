package dev.posthorn.transport;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Publishes what a screen lets pass, and settles the rest as refused.
 *
 * <p>Keeps {@link Publisher#longestRun runs} whole: an event is refused once those of its key before it in the call are
 * settled, and none of its key behind it in the call is published. Thread-safe if the other publisher is.
 */
public final class ScreenedPublisher implements Publisher {

    private final Publisher next;
    private final Screen screen;

    public ScreenedPublisher(Publisher next, Screen screen) {
        this.next = next;
        this.screen = screen;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        Call call = new Call(publications);
        for (int i = 0; i < publications.size(); i++) {
            call.add(i, publications.get(i));
        }
        List<? extends Publication> passed = call.passed();
        if (!passed.isEmpty()) {
            next.publish(passed);
        }
    }

    @Override
    public int longestRun() {
        return next.longestRun();
    }

    @Override
    public void close() {
        next.close();
    }

    /** One call of publish. The list is copied when the first event is another one or refused: mostly none is. */
    private final class Call {

        private final List<? extends Publication> given;
        private @Nullable List<Publication> passed;
        /** By key, what waits for the last event before the refused one; an empty list waits for nothing. */
        private Map<String, List<Behind>> stopped = Map.of();

        Call(List<? extends Publication> given) {
            this.given = given;
        }

        List<? extends Publication> passed() {
            return passed == null ? given : passed;
        }

        @SuppressWarnings(
                "ReferenceEquality") // another object may be equal and still has to be carried; the same is not
        void add(int place, Publication publication) {
            Event event = publication.event();
            if (isBehind(event, publication)) {
                return;
            }
            Event other;
            try {
                other = screen.pass(event);
            } catch (PosthornException unfit) {
                refuse(copyUpTo(place), publication, String.valueOf(unfit.getMessage()));
                return;
            } catch (RuntimeException
                    | StackOverflowError unexpected) { // a screen that breaks on an event must not break the relay
                refuse(copyUpTo(place), publication, Outcome.reasonOf(unexpected));
                return;
            }
            if (other != event) {
                copyUpTo(place).add(publication.carrying(other));
            } else if (passed != null) {
                passed.add(publication);
            }
        }

        private boolean isBehind(Event event, Publication publication) {
            @Nullable
            List<Behind> waiting =
                    stopped.isEmpty() ? null : event.key().map(stopped::get).orElse(null);
            if (waiting == null) {
                return false;
            }
            if (waiting.isEmpty()) {
                publication.settle(StoppedKeys.BEHIND);
            } else {
                waiting.add(new Behind(publication, StoppedKeys.BEHIND));
            }
            return true;
        }

        private List<Publication> copyUpTo(int place) {
            List<Publication> copy = passed;
            if (copy == null) {
                copy = new ArrayList<>(given.subList(0, place));
                passed = copy;
            }
            return copy;
        }

        private void refuse(List<Publication> before, Publication publication, String reason) {
            Outcome refused = Outcome.refused(reason);
            @Nullable String key = publication.event().key().orElse(null);
            int leader = key == null ? -1 : lastOf(key, before);
            List<Behind> waiting = new ArrayList<>();
            if (leader < 0) {
                publication.settle(refused);
            } else {
                waiting.add(new Behind(publication, refused));
                before.set(leader, new Leading(before.get(leader), waiting, new AtomicBoolean()));
            }
            if (key != null) {
                if (stopped.isEmpty()) {
                    stopped = new HashMap<>();
                }
                stopped.put(key, waiting);
            }
        }

        private static int lastOf(String key, List<Publication> before) {
            for (int i = before.size() - 1; i >= 0; i--) {
                if (before.get(i).event().key().filter(key::equals).isPresent()) {
                    return i;
                }
            }
            return -1;
        }
    }

    /** What is not published, and what is said of it if all before it went through. */
    private record Behind(Publication publication, Outcome outcome) {}

    /** The last of its key that is published in a call; what is behind it is settled after it. */
    private record Leading(Publication publication, List<Behind> behind, AtomicBoolean settled) implements Publication {

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
            if (!settled.compareAndSet(false, true)) {
                return;
            }
            publication.settle(outcome);
            boolean accepted = outcome instanceof Outcome.Accepted;
            behind.forEach(one -> one.publication().settle(accepted ? one.outcome() : StoppedKeys.BEHIND));
        }
    }
}
