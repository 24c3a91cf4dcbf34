package dev.posthorn.replay;

import dev.posthorn.event.Event;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.RetryPolicy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;

/**
 * The events of one page on their way: at most one of a key in flight, the next one only after it was accepted.
 *
 * <p>Belongs to one thread, but for {@link Publication#settle}: outcomes wait in a queue until that thread asks for them.
 */
final class Batch {

    private static final Duration LONGEST_ABSENCE = Duration.ofSeconds(30);
    private static final RetryPolicy ABSENCE =
            RetryPolicy.exponential(Integer.MAX_VALUE, Duration.ofMillis(250), LONGEST_ABSENCE, 0);

    private final List<Item> items = new ArrayList<>();
    private final Deque<Item> ready = new ArrayDeque<>();
    private final PriorityQueue<Item> pausing = new PriorityQueue<>(Comparator.comparing(item -> item, Item::sooner));
    /** What waits for its key; a key that is in here has one event in flight, ready or pausing. */
    private final Map<String, Deque<Item>> behind = new HashMap<>();

    private final Queue<Answer> answers = new ConcurrentLinkedQueue<>();
    private final ReplayConfig config;
    private final FailureLog failures;
    private final Runnable onAnswer;
    private int inFlight;
    private int acceptedFirst;
    private Optional<String> fault = Optional.empty();

    Batch(Page page, UUID replay, ReplayConfig config, Runnable onAnswer, FailureLog failures) {
        this.config = config;
        this.failures = failures;
        this.onAnswer = onAnswer;
        for (Page.Entry entry : page.entries()) {
            Item item = new Item(entry.seq(), entry.event().withHeader(Replay.HEADER, replay.toString()));
            items.add(item);
            admit(item);
        }
    }

    private void admit(Item item) {
        Optional<String> key = item.event.key();
        if (key.isEmpty()) {
            ready.add(item);
            return;
        }
        Deque<Item> waiting = behind.get(key.get());
        if (waiting == null) {
            behind.put(key.get(), new ArrayDeque<>());
            ready.add(item);
        } else {
            waiting.add(item);
        }
    }

    /** Takes the outcomes that have come, and what has paused long enough. */
    void settle(long now) {
        for (Answer answer = answers.poll(); answer != null; answer = answers.poll()) {
            inFlight--;
            answer.outcome.reduce(new Consequence(answer.item, now));
        }
        while (!pausing.isEmpty() && pausing.peek().due - now <= 0) {
            ready.add(pausing.remove());
        }
        while (acceptedFirst < items.size() && items.get(acceptedFirst).accepted) {
            acceptedFirst++;
        }
    }

    int ready() {
        return ready.size();
    }

    /** So many of what is ready, now in flight. */
    List<Publication> take(int events) {
        List<Publication> taken = new ArrayList<>(events);
        while (taken.size() < events && !ready.isEmpty()) {
            taken.add(new Try(ready.remove()));
        }
        inFlight += taken.size();
        return taken;
    }

    boolean isInFlight() {
        return inFlight > 0;
    }

    boolean hasAnswers() {
        return !answers.isEmpty();
    }

    boolean isDone() {
        return acceptedFirst == items.size();
    }

    /** Why it can not go on. */
    Optional<String> fault() {
        return fault;
    }

    /** How many from the first on were accepted without a gap. */
    int acceptedFirst() {
        return acceptedFirst;
    }

    /** The seq of the last of those, if there is one. */
    Optional<Long> acceptedSeq() {
        return acceptedFirst == 0 ? Optional.empty() : Optional.of(items.get(acceptedFirst - 1).seq);
    }

    /** How long until a pause ends, if there is one. */
    Optional<Duration> untilDue(long now) {
        return pausing.isEmpty()
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(Math.max(0, pausing.peek().due - now)));
    }

    /** One event, in whatever try. */
    private static final class Item {

        private final long seq;
        private final Event event;
        private boolean accepted;
        private int tries;
        private int failures;
        private int absences;
        private long due;

        Item(long seq, Event event) {
            this.seq = seq;
            this.event = event;
        }

        private static int sooner(Item a, Item b) {
            return Long.signum(a.due - b.due);
        }
    }

    /** One try; the first outcome it is given counts. */
    private final class Try implements Publication {

        private final Item item;
        private final int attempt;
        private final AtomicBoolean settled = new AtomicBoolean();

        Try(Item item) {
            this.item = item;
            this.attempt = ++item.tries;
        }

        @Override
        public Event event() {
            return item.event;
        }

        @Override
        public int attempt() {
            return attempt;
        }

        @Override
        public void settle(Outcome outcome) {
            if (settled.compareAndSet(false, true)) {
                answers.add(new Answer(item, outcome));
                onAnswer.run();
            }
        }
    }

    private record Answer(Item item, Outcome outcome) {}

    /** What an outcome means for the event and its key. */
    private final class Consequence implements Outcome.Cases<Boolean> {

        private final Item item;
        private final long now;

        Consequence(Item item, long now) {
            this.item = item;
            this.now = now;
        }

        @Override
        public Boolean accepted() {
            item.accepted = true;
            failures.recovered();
            item.event.key().ifPresent(key -> {
                Item next = behind.getOrDefault(key, new ArrayDeque<>()).poll();
                if (next == null) {
                    behind.remove(key);
                } else {
                    ready.add(next);
                }
            });
            return true;
        }

        @Override
        public Boolean refused(String reason) {
            return giveUp("was refused: " + reason);
        }

        @Override
        public Boolean failed(String reason) {
            return failed(reason, Duration.ZERO);
        }

        @Override
        public Boolean failed(String reason, Duration pause) {
            item.failures++;
            Optional<Duration> own = config.retry().pauseAfter(item.failures, RandomGenerator.getDefault());
            if (own.isEmpty()) {
                return giveUp("failed " + item.failures + " times, at last: " + reason);
            }
            return pause(pause.compareTo(own.get()) > 0 ? pause : own.get());
        }

        /** The destination is not there, which is not the event's fault: it waits for as long as that lasts. */
        @Override
        public Boolean unavailable(String reason) {
            item.absences++;
            failures.failed(reason);
            return pause(ABSENCE.pauseAfter(item.absences, RandomGenerator.getDefault())
                    .orElse(LONGEST_ABSENCE));
        }

        @Override
        public Boolean unknown(String reason) {
            return failed(reason);
        }

        private boolean pause(Duration pause) {
            item.due = now + pause.toNanos();
            pausing.add(item);
            return false;
        }

        private boolean giveUp(String what) {
            if (fault.isEmpty()) {
                fault = Optional.of(item.event + " " + what);
            }
            return false;
        }
    }
}
