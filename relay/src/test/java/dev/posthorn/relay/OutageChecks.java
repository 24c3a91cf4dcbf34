package dev.posthorn.relay;

import dev.posthorn.transport.Outcome;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What must hold when answers get lost, for one relay: a lost answer is charged only to an event that fails alone, silence opens the
 * breaker and a single lost answer does not, probes go one at a time and are not always the same event, and a destination that comes
 * back gets a few at first.
 */
final class OutageChecks {

    private static final int SAME_PROBES = 3;

    private final SimulatedRelay relay;
    private final List<Sent> sent = new ArrayList<>();
    private final Map<SimulatedEvent, List<Long>> sendings = new HashMap<>();
    private final Map<SimulatedEvent, Long> acceptances = new HashMap<>();
    private final Set<CheckpointStore.FailedAttempt> charged = Collections.newSetFromMap(new IdentityHashMap<>());
    private final Map<Integer, Integer> accepted = new HashMap<>();
    private @Nullable Long lastAnswer;
    private @Nullable Long provenUpTo;
    private boolean heard;
    private @Nullable Item lastProbe;
    private int sameProbes;

    OutageChecks(SimulatedRelay relay) {
        this.relay = relay;
    }

    private SendQueue queue() {
        return relay.state.shop().sendQueue();
    }

    // ---- what happens

    void sent(Sent one, SimulatedEvent event) {
        sent.removeIf(Sent::isSettled);
        sent.add(one);
        sendings.computeIfAbsent(event, any -> new ArrayList<>()).add(one.sentAt);
        if (one.probe > 0) {
            checkProbe(one);
        } else if (one.start > 0) {
            checkSlowStart(one);
        }
    }

    void hears(Sent one, Outcome outcome, SimulatedEvent event) {
        boolean definite = outcome instanceof Outcome.Accepted || outcome instanceof Outcome.Failed;
        heard |= definite && !one.isSettled();
        if (outcome instanceof Outcome.Accepted && !one.isSettled()) {
            acceptances.merge(event, one.sentAt, Math::max);
            accepted.merge(one.start, 1, Integer::sum);
            provenUpTo = provenUpTo == null ? one.sentAt : (Long) Math.max(provenUpTo, one.sentAt);
        }
    }

    /** Everything that was heard has been taken in; the breaker had opened so often before. */
    void tookAnswers(long now, int openings) {
        lastAnswer = heard ? (Long) now : lastAnswer;
        heard = false;
        if (!queue().breaker.isOpen()) {
            checkSilence(now);
        } else if (queue().breaker.openings() > openings) {
            checkOpening();
        }
    }

    /** A step ended: what it charged is in its lanes. */
    void lookForCharges() {
        for (Lane lane : relay.state.lanes()) {
            for (CheckpointStore.FailedAttempt attempt : lane.attempts) {
                if (charged.add(attempt) && attempt.outcome().equals("unknown")) {
                    checkCharge(attempt);
                }
            }
        }
    }

    // ---- what must hold

    private void checkCharge(CheckpointStore.FailedAttempt attempt) {
        SimulatedEvent event = sendings.keySet().stream()
                .filter(one -> one.event.id().equals(attempt.eventId()))
                .findFirst()
                .orElseThrow();
        List<Long> own = sendings.getOrDefault(event, List.of());
        long before = own.get(Math.max(0, own.size() - 3));
        boolean othersWentThrough =
                acceptances.entrySet().stream().anyMatch(other -> other.getKey() != event && other.getValue() > before);
        if (own.size() < 2 || !othersWentThrough) {
            throw new Violation("silence is charged: " + attempt + " of " + event + " after " + own.size()
                    + " sendings; others went through: " + othersWentThrough);
        }
    }

    private void checkProbe(Sent probe) {
        long underWay = sent.stream()
                .filter(one -> one.probe == probe.probe && !one.isSettled())
                .count();
        if (underWay > 1) {
            throw new Violation("several probes at once: " + underWay);
        }
        boolean others = queue().hasReadyBeside(probe.item, relay.state.shop().now());
        sameProbes = probe.item == lastProbe && others ? sameProbes + 1 : 0;
        lastProbe = probe.item;
        if (sameProbes >= SAME_PROBES) {
            throw new Violation("always the same probe: " + probe.event());
        }
    }

    private void checkSlowStart(Sent one) {
        long underWay = sent.stream()
                .filter(other -> other.start == one.start && !other.isSettled())
                .count();
        if (underWay > SlowStart.FIRST + accepted.getOrDefault(one.start, 0)) {
            throw new Violation("everything at once after an outage: " + underWay + " in flight");
        }
    }

    private void checkOpening() {
        String reason = String.valueOf(queue().breaker.reason());
        boolean silence =
                reason.startsWith(OutageDetector.SILENT) && queue().outages.lostKeys() == 0;
        if (silence && sent.stream().noneMatch(this::isAwaited)) {
            throw new Violation("a lost answer opens the breaker while later ones arrive: " + reason);
        }
    }

    private boolean isAwaited(Sent one) {
        return !one.isSettled() && (provenUpTo == null || one.sentAt >= provenUpTo);
    }

    private void checkSilence(long now) {
        long longest = relay.state.shop().config().silence().orElseThrow().toNanos();
        for (Sent one : sent) {
            long since = lastAnswer == null ? one.sentAt : Math.max(one.sentAt, lastAnswer);
            if (isAwaited(one) && now - since > longest) {
                throw new Violation("I6 silent for " + (now - since) / 1_000_000 + " ms, and the breaker is closed: "
                        + relay.describe());
            }
        }
    }
}
