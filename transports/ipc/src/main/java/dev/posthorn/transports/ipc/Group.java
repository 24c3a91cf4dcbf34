package dev.posthorn.transports.ipc;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One subscriber at a hub: a bounded queue, and which of its members has what.
 *
 * <p>What was taken into the queue and is not settled never exceeds the limits, but that one letter always fits. What finds no room
 * waits in {@code waiting}, first in, first out, and is not accepted until then; who published it gets no answer, and is not
 * read from if it has too much there. The queue is a set of {@link Line lines}, one a key, and not one line, so a key whose
 * member is busy holds up no other key.
 *
 * <p>Belongs to the hub's thread.
 */
final class Group {

    private static final Logger LOG = LoggerFactory.getLogger(Group.class);

    /** Whose it is, and what it wants. */
    record Wishes(String subscriber, Set<String> domains, Set<String> types) {
        boolean include(Letter letter) {
            return (domains.isEmpty() || domains.contains(letter.domain()))
                    && (types.isEmpty() || types.contains(letter.type()));
        }
    }

    private final IpcConfig.Limits limits;
    private final List<Seat> seats = new ArrayList<>();
    private final Deque<Posting> waiting = new ArrayDeque<>();
    private final Map<String, Line> byKey = new HashMap<>();
    /** Lines that nobody has, by the number of their head. */
    private final TreeMap<Long, Line> free = new TreeMap<>();

    private Wishes wishes;
    private long accepted;
    private int unsettled;
    private long unsettledBytes;
    /** Something has waited for room in vain, and since then none came: nothing more is let wait. */
    private boolean stuck;

    private long absentSince = System.nanoTime();

    Group(Wishes wishes, IpcConfig.Limits limits) {
        this.wishes = wishes;
        this.limits = limits;
    }

    Wishes wishes() {
        return wishes;
    }

    boolean isAbsent() {
        return seats.isEmpty();
    }

    /** In nanoseconds, since the last member was here. */
    long absence(long now) {
        return seats.isEmpty() ? now - absentSince : 0;
    }

    int unsettled() {
        return unsettled;
    }

    /** A new member. While others are here it has to want the same. */
    Seat join(Wishes wanted, Caller caller, int prefetch) throws BadFrameException {
        if (!seats.isEmpty() && !wanted.equals(wishes)) {
            throw new BadFrameException("subscriber " + wishes.subscriber() + " has members that want other domains or"
                    + " types: " + wishes + "; members of one subscriber share its events, so they must want the same");
        }
        wishes = wanted;
        Seat seat = new Seat(this, caller, prefetch);
        seats.add(seat);
        return seat;
    }

    void offer(Posting posting) {
        if (waiting.isEmpty() && hasRoomFor(posting.letter)) {
            admit(posting);
            handOut();
        } else if (stuck) {
            posting.giveUp("the queue of subscriber " + wishes.subscriber() + " is full, and it handles nothing");
        } else {
            waiting.add(posting);
        }
    }

    private boolean hasRoomFor(Letter letter) {
        return unsettled == 0
                || (unsettled < limits.capacity() && unsettledBytes + letter.size() <= limits.capacityBytes());
    }

    private void admit(Posting posting) {
        Letter letter = posting.letter;
        Line line = letter.key()
                .map(key -> byKey.computeIfAbsent(key, any -> new Line(letter.key())))
                .orElseGet(() -> new Line(letter.key()));
        boolean first = line.isEmpty();
        line.append(new Parcel(accepted++, posting, line));
        unsettled++;
        unsettledBytes += letter.size();
        if (first) {
            show(line);
        }
        posting.queued();
    }

    /** The line has something: whoever has it, or may, finds it. */
    private void show(Line line) {
        Seat seat = line.seat;
        if (seat != null) {
            seat.has(line);
        } else {
            free.put(line.head(), line);
        }
    }

    private void hide(Line line) {
        Seat seat = line.seat;
        if (line.isEmpty()) {
            return;
        }
        if (seat != null) {
            seat.hasNot(line);
        } else {
            free.remove(line.head());
        }
    }

    /** Gives members what they have room for, the oldest first, to whoever has most room. */
    void handOut() {
        List<Seat> open = new ArrayList<>(seats);
        while (!open.isEmpty()) {
            Seat seat = open.size() == 1 ? open.get(0) : roomiest(open);
            Line line = seat.room() > 0 ? seat.next(free) : null;
            if (line == null) {
                open.remove(seat);
                continue;
            }
            hide(line);
            Parcel parcel = line.take();
            line.seat = seat;
            line.out++;
            if (!line.isEmpty()) {
                show(line);
            }
            seat.deliver(parcel);
        }
    }

    private static Seat roomiest(List<Seat> seats) {
        return seats.stream().max(Comparator.comparingInt(Seat::room)).orElseThrow();
    }

    /** A member is done with it, one way or the other. */
    void settled(Seat seat, Parcel parcel) {
        seat.settled(parcel);
        unsettled--;
        unsettledBytes -= parcel.letter().size();
        release(parcel.line);
        parcel.posting.handled();
        stuck = false;
        admitWaiting();
        handOut();
    }

    /** A member does not want it any more; another one shall have it. */
    void giveBack(Seat seat, Parcel parcel) {
        putBack(seat, parcel);
        handOut();
    }

    private void putBack(Seat seat, Parcel parcel) {
        seat.settled(parcel);
        Line line = parcel.line;
        hide(line);
        line.putBack(parcel);
        show(line);
        release(line);
    }

    private void release(Line line) {
        line.out--;
        if (line.out == 0) {
            hide(line);
            line.seat = null;
            if (line.isEmpty()) {
                line.key.ifPresent(byKey::remove);
            } else {
                show(line);
            }
        }
    }

    private void admitWaiting() {
        while (!waiting.isEmpty() && hasRoomFor(waiting.element().letter)) {
            Posting posting = waiting.remove();
            if (!posting.isAnswered()) {
                admit(posting);
            }
        }
    }

    /** The member is gone: what it had goes to others, or waits. */
    void left(Seat seat) {
        seats.remove(seat);
        absentSince = System.nanoTime();
        seat.out().forEach(parcel -> putBack(seat, parcel));
        handOut();
    }

    void giveUpOverdue(long now) {
        for (Posting posting : waiting) {
            if (!posting.isAnswered() && posting.deadline - now <= 0) {
                posting.giveUp("the queue of subscriber " + wishes.subscriber() + " had no room for it in time");
                stuck = true;
            }
        }
        forgetAnswered();
    }

    /** Those that were given up take no memory any more. */
    void forgetAnswered() {
        waiting.removeIf(Posting::isAnswered);
    }

    /** It is no subscriber any more, so nobody waits for it. */
    void end() {
        if (unsettled > 0 || !waiting.isEmpty()) {
            LOG.warn(
                    "Subscriber {} has been absent for too long; {} events for it are dropped.",
                    wishes.subscriber(),
                    unsettled + waiting.size());
        }
        waiting.forEach(posting -> {
            posting.queued();
            posting.handled();
        });
        byKey.values().forEach(Group::drop);
        free.values().stream().filter(line -> line.key.isEmpty()).forEach(Group::drop);
    }

    private static void drop(Line line) {
        while (!line.isEmpty()) {
            line.take().posting.handled();
        }
    }
}
