package dev.posthorn.relay;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * What to send next: the list of events whose turn has come, what waits for a time, and what has not been answered.
 * Touched only under the relay's lock.
 */
final class SendQueue {

    private record Timer(long due, Runnable action) {}

    private static final Duration LONG_WAIT = Duration.ofSeconds(10);
    private static final double SMOOTHING = 1.0 / 64;

    private final RelayConfig config;
    private final Answers answers;
    final Breaker breaker = new Breaker();
    final OutageDetector outages;
    final FlushGuard flushes = new FlushGuard();
    private final ArrayDeque<Item> ready = new ArrayDeque<>();
    private final ArrayDeque<Item> payloadsWanted = new ArrayDeque<>();
    private final Set<Item> withPayload = new HashSet<>();
    final MemoryBudget.Account memory;
    /** By lane, so that those of a lane that is thrown away go with it. */
    private final Map<Lane, PriorityQueue<Timer>> timers = new LinkedHashMap<>();

    private final ArrayDeque<Sent> unanswered = new ArrayDeque<>();
    private int inFlight;
    /** Nothing is sent, not even a probe. */
    boolean paused;

    private double confirmNanos = -1;

    SendQueue(RelayConfig config, Answers answers, MemoryBudget.Account memory) {
        this.config = config;
        this.answers = answers;
        this.memory = memory;
        this.outages = new OutageDetector(config, breaker);
    }

    /** Nothing is read or sent, for now: the route is paused, or nothing could be made durable. */
    boolean isHeldUp() {
        return paused || flushes.isStalled();
    }

    /** Memory that it needs has been in use by others for long. */
    boolean lacksMemory() {
        return memory.waiting().compareTo(LONG_WAIT) > 0;
    }

    /** Its turn has come. */
    void ready(Item item) {
        item.state = Item.State.READY;
        ready.addLast(item);
    }

    void at(Lane lane, long due, Runnable action) {
        if (!lane.gone) {
            timers.computeIfAbsent(lane, any -> new PriorityQueue<>(Comparator.comparingLong(Timer::due)))
                    .add(new Timer(due, action));
        }
    }

    void runTimers(long now) {
        for (PriorityQueue<Timer> own : timers.values()) {
            for (Timer next = own.peek(); next != null && Nanos.reached(next.due(), now); next = own.peek()) {
                own.remove();
                next.action().run();
            }
        }
    }

    /**
     * Lets go of every lane that was thrown away. Publications of theirs that are not answered still count as in flight; they
     * belong to nobody from now on.
     */
    void forgetGone(Item nobody) {
        timers.keySet().removeIf(lane -> lane.gone);
        outages.forgetLost();
        ready.removeIf(item -> item.lane.gone);
        payloadsWanted.removeIf(item -> item.lane.gone);
        List.copyOf(withPayload).stream().filter(item -> item.lane.gone).forEach(this::dropPayload);
        unanswered.forEach(sent -> {
            if (sent.item.lane.gone) {
                sent.item = nobody;
            }
        });
    }

    /** Whether an event of another key could be sent now. */
    boolean hasReadyBeside(Item item, long now) {
        return ready.stream()
                .anyMatch(other -> other.lane.isTrusted(now)
                        && other.state == Item.State.READY
                        && other.lane.stillNext(other)
                        && !other.payloadMissing
                        && (other.gate == null ? other != item : other.gate != item.gate));
    }

    /** How many lanes are kept in memory by what is queued here. */
    int lanesKept() {
        Set<Lane> kept = new HashSet<>(timers.keySet());
        ready.forEach(item -> kept.add(item.lane));
        payloadsWanted.forEach(item -> kept.add(item.lane));
        withPayload.forEach(item -> kept.add(item.lane));
        unanswered.forEach(sent -> kept.add(sent.item.lane));
        kept.removeIf(lane -> lane.number() < 0);
        return kept.size();
    }

    /** When there is something to do without an answer arriving, or empty. */
    @Nullable
    Long nextWake(long now) {
        Long wake = nextTimer();
        if (breaker.wantsProbe() && !ready.isEmpty() && !isHeldUp()) {
            wake = earlier(wake, breaker.probeAt());
        }
        Sent oldest = unanswered.peek();
        if (oldest != null) {
            wake = earlier(wake, oldest.sentAt + config.publishTimeout().toNanos());
        }
        return earlier(wake, outages.silentAt(unanswered, now));
    }

    private static @Nullable Long earlier(@Nullable Long one, @Nullable Long other) {
        if (one == null || other == null) {
            return one == null ? other : one;
        }
        return Math.min(one, other);
    }

    private @Nullable Long nextTimer() {
        Long first = null;
        for (PriorityQueue<Timer> own : timers.values()) {
            Timer next = own.peek();
            if (next != null && (first == null || next.due() < first)) {
                first = next.due();
            }
        }
        return first;
    }

    /** Takes what may be sent now; the caller publishes it after leaving the lock. */
    void take(long now, int longestRun, List<Sent> sending) {
        if (ready.isEmpty() || isHeldUp()) {
            return;
        }
        if (breaker.isOpen()) {
            takeProbe(now, sending);
            return;
        }
        boolean slowly = ready.getFirst().lane.shop.isOn(Safeguard.A_DESTINATION_RECOVERS_SLOWLY);
        int most = slowly ? outages.slowStart().room() : Integer.MAX_VALUE;
        int room = Math.max(0, Math.min(config.maxInFlight() - inFlight, most));
        List<Item> distrusted = new ArrayList<>(0);
        while (sending.size() < room && !ready.isEmpty()) {
            Item item = ready.removeFirst();
            if (!item.lane.isTrusted(now)) {
                distrusted.add(item);
            } else if (maySend(item)) {
                send(item, now, sending);
                int run = Math.min(longestRun - 1, room - sending.size());
                item.lane.followers(item, run).forEach(follower -> send(follower, now, sending));
            }
        }
        distrusted.removeIf(item -> item.lane.gone);
        ready.addAll(distrusted);
    }

    /**
     * Those first that were not tried yet, then each in its turn: whatever ails one event, another shows whether the destination is
     * back.
     */
    private void takeProbe(long now, List<Sent> sending) {
        if (breaker.mayProbe(now)
                && !takeProbe(now, sending, this::isFresh)
                && !takeProbe(now, sending, item -> true)) {
            breaker.postponeProbe(now);
        }
    }

    private boolean isFresh(Item item) {
        return item.doubt == null && item.probed != breaker.openings() && item.lane.shop.isOn(Safeguard.PROBES_ROTATE);
    }

    private boolean takeProbe(long now, List<Sent> sending, Predicate<Item> wanted) {
        boolean rotates = !ready.isEmpty() && ready.getFirst().lane.shop.isOn(Safeguard.PROBES_ROTATE);
        Iterator<Item> candidates = rotates ? ready.iterator() : ready.descendingIterator();
        while (candidates.hasNext()) {
            Item item = candidates.next();
            if (item.lane.isTrusted(now) && wanted.test(item)) {
                candidates.remove();
                if (maySend(item)) {
                    item.probed = breaker.openings();
                    Sent sent = send(item, now, sending);
                    sent.probe = item.probed;
                    breaker.probing(sent);
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether it is still its turn, and all of it is here. */
    private boolean maySend(Item item) {
        if (item.lane.gone || item.state != Item.State.READY) {
            dropPayload(item);
            return false;
        }
        if (!item.lane.stillNext(item)) {
            item.lane.putBack(item);
            dropPayload(item);
            return false;
        }
        if (item.payloadMissing) {
            payloadsWanted.addLast(item);
            return false;
        }
        return true;
    }

    private Sent send(Item item, long now, List<Sent> sending) {
        Sent sent = new Sent(item, answers, now);
        sending.add(sent);
        unanswered.addLast(sent);
        item.state = Item.State.IN_FLIGHT;
        item.withheld = false;
        item.sent = sent;
        item.sentAt = now;
        item.lane.sending(item);
        sent.counted = true;
        inFlight++;
        outages.slowStart().sent(sent);
        if (unanswered.size() > 2 * config.maxInFlight() + 1_000) {
            unanswered.removeIf(Sent::isSettled);
        }
        return sent;
    }

    /** It is not in flight any more, whatever became of it. */
    void landed(Sent sent) {
        if (sent.counted) {
            sent.counted = false;
            inFlight--;
            outages.slowStart().landed(sent);
            breaker.landed(sent);
        }
    }

    /** Events to fetch whose size is not known yet. */
    List<Item> takeUnmeasured() {
        return payloadsWanted.stream().filter(item -> item.omitted < 0).toList();
    }

    /** Large events to fetch now, no more at once than a lane may hold and than there is memory for. */
    List<Item> takePayloadsWanted() {
        payloadsWanted.removeIf(item -> item.lane.gone || item.state != Item.State.READY);
        List.copyOf(withPayload).stream()
                .filter(item -> item.lane.gone || (isHeldUp() && item.state == Item.State.READY))
                .forEach(this::dropPayload);
        long bytes = withPayload.stream().mapToLong(item -> item.omitted).sum();
        long most = breaker.isOpen() ? 1 : config.lane().bytes(); // one is enough for a probe
        List<Item> wanted = new ArrayList<>();
        for (Item item = payloadsWanted.peekFirst(); item != null; item = payloadsWanted.peekFirst()) {
            if (bytes >= most || item.omitted < 0 || isTooLarge(item) || !memory.fetch(item.omitted)) {
                break;
            }
            payloadsWanted.removeFirst();
            bytes += item.omitted;
            withPayload.add(item);
            wanted.add(item);
        }
        if (payloadsWanted.isEmpty()) {
            memory.fetchesNoMore();
        }
        return wanted;
    }

    /** Events that will never fit in memory, as if they had been sent; the caller refuses them. */
    List<Sent> takeTooLarge(long now) {
        List<Item> tooLarge = breaker.isOpen()
                ? List.of()
                : payloadsWanted.stream().filter(this::isTooLarge).toList();
        payloadsWanted.removeAll(tooLarge);
        List<Sent> refused = new ArrayList<>();
        tooLarge.forEach(item -> send(item, now, refused));
        return refused;
    }

    private boolean isTooLarge(Item item) {
        return item.omitted > memory.largestEvent();
    }

    void fetched(Item item, Event whole) {
        item.event = whole;
        item.payloadMissing = false;
        ready.addFirst(item);
    }

    /** Forgets the payload of an item that is done with, so that only what is needed is held. */
    private void dropPayload(Item item) {
        if (item.omitted != 0 && withPayload.remove(item)) {
            memory.dropped(item.omitted);
            item.payloadMissing = true;
            item.event = item.row.event();
        }
    }

    /** An answer arrived; false if nobody waits for it any more. */
    boolean answered(Sent sent, Outcome outcome, long now) {
        landed(sent);
        Item item = sent.item;
        if (outcome instanceof Outcome.Accepted) {
            double nanos = now - sent.sentAt;
            confirmNanos = confirmNanos < 0 ? nanos : confirmNanos + (nanos - confirmNanos) * SMOOTHING;
        }
        dropPayload(item);
        if (item.lane.gone || item.sent != sent) {
            return false;
        }
        item.sent = null;
        return true;
    }

    /** Counts unanswered publishes of long ago as unknown. */
    void expire(long now) {
        for (Sent oldest = unanswered.peek(); oldest != null; oldest = unanswered.peek()) {
            if (!oldest.isSettled()) {
                if (now - oldest.sentAt < config.publishTimeout().toNanos()) {
                    return;
                }
                oldest.settle(Outcome.unknown("no answer within " + config.publishTimeout()));
            }
            unanswered.remove();
        }
    }

    /** Opens the breaker if nothing was answered for long. */
    void listen(long now) {
        outages.listen(unanswered, inFlight, now);
    }

    /** In flight for far longer than others take: it must not hold up the checkpoint. */
    boolean isStraggler(Item item, long now) {
        return item.state == Item.State.IN_FLIGHT
                && confirmNanos >= 0
                && !breaker.isOpen()
                && now - item.sentAt > Math.max(config.flush().straggler().toNanos(), (long) (4 * confirmNanos));
    }

    int inFlight() {
        return inFlight;
    }

    boolean wantsPayloads() {
        return !payloadsWanted.isEmpty();
    }
}
