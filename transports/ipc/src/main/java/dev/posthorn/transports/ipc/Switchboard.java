package dev.posthorn.transports.ipc;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a hub knows: its connections, its groups and what is not answered. Belongs to the hub's thread. */
final class Switchboard {

    private static final Logger LOG = LoggerFactory.getLogger(Switchboard.class);
    private static final String CLOSING = "the hub is being closed";

    /** A rejected parcel that could not be written to the dead letters yet. */
    private record Rejected(Seat seat, Parcel parcel, String reason, Map<String, String> about) {}

    private final IpcConfig config;
    private final GroupsFile file;
    private final DeadLetters deadLetters;
    private final Set<Caller> callers = new LinkedHashSet<>();
    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Set<Posting> unanswered = new LinkedHashSet<>();
    private final Deque<Rejected> unwritten = new ArrayDeque<>();
    private final FailureLog deadLetterFailures = new FailureLog(LOG, "Writing dead letters", "transport=ipc");
    private final FailureLog listFailures = new FailureLog(LOG, "Writing the list of subscribers", "transport=ipc");
    private boolean closing;

    Switchboard(IpcConfig config, GroupsFile file, DeadLetters deadLetters) throws IOException {
        this.config = config;
        this.file = file;
        this.deadLetters = deadLetters;
        for (Group.Wishes wishes : file.read()) {
            groups.put(wishes.subscriber(), new Group(wishes, config.limits()));
        }
        file.touch();
    }

    IpcConfig.Limits limits() {
        return config.limits();
    }

    boolean isFull() {
        return callers.size() >= config.limits().connections();
    }

    int connections() {
        return callers.size();
    }

    void add(Caller caller) {
        callers.add(caller);
    }

    /** In nanoseconds, for somebody who waits so long for an answer: the answer must come before that. */
    long patience(long answerMillis) {
        return Math.min(
                config.timing().patience().toNanos(),
                Duration.ofMillis(answerMillis).toNanos() / 2);
    }

    void publish(Posting posting) {
        unanswered.add(posting);
        if (closing) {
            posting.giveUp(CLOSING);
            return;
        }
        List<Group> wanting = groups.values().stream()
                .filter(group -> group.wishes().include(posting.letter))
                .toList();
        posting.wantedBy(wanting.size());
        wanting.forEach(group -> group.offer(posting));
    }

    void answered(Posting posting) {
        unanswered.remove(posting);
    }

    /** A new subscriber is on disk before its first member is told that it is one: the next hub must know it. */
    Seat join(Group.Wishes wishes, Caller caller, int prefetch) throws BadFrameException {
        if (closing) {
            throw new BadFrameException(CLOSING);
        }
        Group known = groups.get(wishes.subscriber());
        if (known == null && groups.size() >= config.limits().connections()) {
            throw new BadFrameException("there are " + groups.size() + " subscribers already (limits.connections)");
        }
        Group group = known == null ? new Group(wishes, config.limits()) : known;
        boolean news = known == null || !known.wishes().equals(wishes);
        Seat seat = group.join(wishes, caller, prefetch);
        groups.put(wishes.subscriber(), group);
        try {
            if (news) {
                remember();
            }
        } catch (IOException failure) {
            group.left(seat);
            throw new BadFrameException("the subscriber could not be written down: " + Outcome.reasonOf(failure));
        }
        caller.send(Frames.bare(Frames.JOINED));
        group.handOut();
        return seat;
    }

    private void remember() throws IOException {
        file.write(groups.values().stream().map(Group::wishes).toList());
    }

    /** Written to the dead letters first; until that works it is not settled, and comes again if its member dies. */
    void reject(Seat seat, Parcel parcel, String reason, Map<String, String> about) {
        Rejected rejected = new Rejected(seat, parcel, reason, about);
        if (!bury(rejected)) {
            unwritten.add(rejected);
        }
    }

    private boolean bury(Rejected rejected) {
        Seat seat = rejected.seat;
        try {
            deadLetters.add(seat.group.wishes().subscriber(), rejected.parcel, rejected.reason, rejected.about);
        } catch (IOException failure) {
            deadLetterFailures.failed(failure);
            return false;
        }
        deadLetterFailures.recovered();
        seat.group.settled(seat, rejected.parcel);
        return true;
    }

    void lost(Caller caller) {
        callers.remove(caller);
        List<Posting> abandoned =
                unanswered.stream().filter(posting -> posting.isFrom(caller)).toList();
        if (!abandoned.isEmpty()) {
            abandoned.forEach(posting -> posting.giveUp("its publisher is gone"));
            groups.values().forEach(Group::forgetAnswered);
        }
    }

    /** From time to time: gives up what has waited for too long, and ends who says nothing or hangs. */
    void tidy() {
        long now = System.nanoTime();
        groups.values().forEach(group -> group.giveUpOverdue(now));
        unanswered.stream()
                .filter(posting -> posting.deadline - now <= 0)
                .toList()
                .forEach(Posting::giveUpHandling);
        List.copyOf(callers).forEach(caller -> endIfDead(caller, now));
        for (int i = unwritten.size(); i > 0; i--) {
            Rejected rejected = unwritten.remove();
            boolean stillThere = rejected.seat.has(rejected.parcel.number) == rejected.parcel;
            if (stillThere && !bury(rejected)) {
                unwritten.add(rejected);
            }
        }
        endAbsent(now);
    }

    private void endIfDead(Caller caller, long now) {
        long longest = config.timing().silence().toNanos();
        long greeting = Math.min(longest, config.timing().answer().toNanos());
        Wire wire = caller.wire();
        if (!caller.isGreeted() && wire.silence(now) > greeting) {
            caller.end("it did not greet in time");
        } else if (caller.isMember() && wire.silence(now) > longest) {
            caller.end("it was silent for " + config.timing().silence());
        } else if (wire.hanging(now) > longest) {
            caller.end("it hangs: half a frame came, or it does not read what it is sent, for "
                    + config.timing().silence());
        }
    }

    private void endAbsent(long now) {
        List<Group> gone = groups.values().stream()
                .filter(group -> group.absence(now) > config.timing().absence().toNanos())
                .toList();
        if (gone.isEmpty()) {
            return;
        }
        gone.forEach(group -> {
            groups.remove(group.wishes().subscriber());
            group.end();
        });
        try {
            remember();
            listFailures.recovered();
        } catch (IOException failure) {
            listFailures.failed(failure);
        }
    }

    /** Asks all members whether they live, and says that this hub does. */
    void ping() {
        callers.stream()
                .filter(Caller::isMember)
                .filter(caller -> !caller.isCongested())
                .forEach(caller -> caller.send(Frames.numbered(Frames.PING, 0)));
        file.touch();
    }

    /** Takes nothing new. */
    void close() {
        closing = true;
        List.copyOf(unanswered).forEach(posting -> posting.giveUp(CLOSING));
        groups.values().forEach(Group::forgetAnswered);
    }

    /** Whether no member has anything to do. */
    boolean isDrained() {
        return groups.values().stream().allMatch(group -> group.isAbsent() || group.unsettled() == 0);
    }

    /** How many accepted events nobody has handled. */
    int unsettled() {
        return groups.values().stream().mapToInt(Group::unsettled).sum();
    }

    void end() {
        List.copyOf(callers).forEach(caller -> caller.end(CLOSING));
        file.touch();
    }

    @Override
    public String toString() {
        return "the hub in " + config.folder();
    }
}
