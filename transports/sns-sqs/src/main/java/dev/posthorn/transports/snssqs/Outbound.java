package dev.posthorn.transports.snssqs;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/**
 * What waits to be sent, and what is under way. Of a message group one parcel is under way at a time: Amazon may take a later
 * entry of a call and not an earlier one, and two calls overtake each other. Thread-safe.
 */
final class Outbound {

    private static final int MOST_ENTRIES = 10;

    /** The parcels of one message group, the first one under way if it is busy. */
    private static final class Group {
        private final Deque<Parcel> parcels = new ArrayDeque<>(2);
    }

    private final int calls;
    private final long patience;
    private final Map<String, Group> groups = new HashMap<>();
    /** Groups whose first parcel may be sent, by its topic. */
    private final Map<String, Deque<Group>> ready = new LinkedHashMap<>();

    private final Set<Parcel> underway = new LinkedHashSet<>();
    private int callsUnderway;

    /** With so many calls at once, each of which has that many nanoseconds for a step. */
    Outbound(int calls, long patience) {
        this.calls = calls;
        this.patience = patience;
    }

    synchronized void add(List<Parcel> parcels) {
        for (Parcel parcel : parcels) {
            Group group = groups.computeIfAbsent(parcel.group, any -> new Group());
            group.parcels.addLast(parcel);
            if (group.parcels.size() == 1) {
                makeReady(group);
            }
        }
    }

    private void makeReady(Group group) {
        ready.computeIfAbsent(group.parcels.getFirst().topic, any -> new ArrayDeque<>())
                .addLast(group);
    }

    /** What goes into the next call, all of one topic; empty if there is nothing or enough is under way. */
    synchronized List<Parcel> take() {
        if (callsUnderway >= calls || ready.isEmpty()) {
            return List.of();
        }
        Iterator<Map.Entry<String, Deque<Group>>> topics = ready.entrySet().iterator();
        Deque<Group> ofTopic = topics.next().getValue();
        topics.remove();
        List<Parcel> batch = new ArrayList<>(MOST_ENTRIES);
        int bytes = 0;
        for (Group next = ofTopic.peekFirst();
                next != null && batch.size() < MOST_ENTRIES && bytes + size(next) <= Parcel.MOST_BYTES;
                next = ofTopic.peekFirst()) {
            bytes += size(next);
            batch.add(ofTopic.removeFirst().parcels.getFirst());
        }
        if (!ofTopic.isEmpty()) {
            ready.put(batch.get(0).topic, ofTopic); // behind the other topics
        }
        batch.forEach(parcel -> parcel.taken(patience));
        underway.addAll(batch);
        callsUnderway++;
        return batch;
    }

    private static int size(Group group) {
        return group.parcels.getFirst().bytes;
    }

    synchronized void callEnded() {
        callsUnderway--;
    }

    /** It was answered. Unless it was accepted, what is behind it of the same run is taken out and returned. */
    synchronized List<Parcel> answered(Parcel parcel, boolean accepted) {
        underway.remove(parcel);
        Group group = groups.get(parcel.group);
        if (group == null || group.parcels.peekFirst() != parcel) {
            return List.of(); // it was answered before
        }
        group.parcels.removeFirst();
        List<Parcel> behind = new ArrayList<>();
        if (!accepted) {
            group.parcels.removeIf(other -> other.run == parcel.run && behind.add(other));
        }
        if (group.parcels.isEmpty()) {
            groups.remove(parcel.group);
        } else {
            makeReady(group);
        }
        return behind;
    }

    synchronized List<Parcel> underway() {
        return List.copyOf(underway);
    }

    /**
     * Takes out what waits for something that does not end: behind a parcel of its group that is overdue, or for a call
     * while all calls are overdue. What merely waits for its turn stays, however long that takes.
     */
    synchronized List<Parcel> takeStuck() {
        if (underway.stream().noneMatch(Parcel::isOverdue)) {
            return List.of();
        }
        boolean all = callsUnderway >= calls && underway.stream().allMatch(Parcel::isOverdue);
        return takeWaiting(parcel -> all || isBehindOverdue(parcel));
    }

    private boolean isBehindOverdue(Parcel parcel) {
        Group group = groups.get(parcel.group);
        Parcel first = group == null ? null : group.parcels.peekFirst();
        return first != null && first != parcel && underway.contains(first) && first.isOverdue();
    }

    /** Takes out everything that is not under way. */
    synchronized List<Parcel> takeAll() {
        return takeWaiting(parcel -> true);
    }

    private List<Parcel> takeWaiting(Predicate<Parcel> which) {
        List<Parcel> taken = new ArrayList<>();
        groups.values()
                .forEach(group -> group.parcels.removeIf(
                        parcel -> !underway.contains(parcel) && which.test(parcel) && taken.add(parcel)));
        groups.values().removeIf(group -> group.parcels.isEmpty());
        ready.clear();
        groups.values().stream()
                .filter(group -> !underway.contains(group.parcels.getFirst()))
                .forEach(this::makeReady);
        return taken;
    }
}
