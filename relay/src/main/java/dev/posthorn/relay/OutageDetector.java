package dev.posthorn.relay;

import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Judges by the answers of all keys whether a lost answer is the trouble of one event or an outage of the destination, and opens and
 * closes the breaker.
 *
 * <p>An outage shows by its spread. A publication without an answer (a timeout, a broken connection) says nothing about its event as
 * long as nothing else goes through either. So the first lost answer of an event is never charged: the event is sent again soon. The
 * next one is charged if a publication that was sent in between was accepted and no outage was seen, because then the destination
 * works and this event fails alone.
 *
 * <p>Silence is an outage too: publications are in flight, and for {@link RelayConfig#silence} none was answered, or only by timeouts
 * and broken connections. A publication that later ones have overtaken is no silence: its own answer is lost, theirs arrived.
 *
 * <p>Touched only under the relay's lock.
 */
final class OutageDetector {

    /** So many keys in a row without an answer are an outage before the silence has lasted. */
    static final int MANY_KEYS = 5;

    /** How the reason begins if silence opened the breaker. */
    static final String SILENT = "the destination is silent";

    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final Breaker breaker;
    private final SlowStart slowStart;
    private final @Nullable Duration silence;
    /** Keys of lost answers since the last answer; no more than {@link #MANY_KEYS}. */
    private final Set<Object> lost = new HashSet<>();

    private long lostSince;
    private String lastReason = "";
    /** How often an outage of more than one key was seen to begin or to end. */
    private int changes;

    private boolean widespread;
    /** While silence has the breaker open. */
    private @Nullable Long silentSince;

    private @Nullable Long lastAnswer;
    /** When the newest publication was sent that was accepted. */
    private @Nullable Long provenUpTo;

    OutageDetector(RelayConfig config, Breaker breaker) {
        this.breaker = breaker;
        this.slowStart = new SlowStart(config.maxInFlight());
        this.silence = config.silence().orElse(null);
    }

    SlowStart slowStart() {
        return slowStart;
    }

    // ---- answers

    void accepted(Sent sent, long now) {
        if (provenUpTo == null || sent.sentAt - provenUpTo > 0) {
            provenUpTo = sent.sentAt;
        }
        slowStart.accepted(sent);
        answered(now);
    }

    /** The destination said something about this one event. */
    void answered(long now) {
        lastAnswer = now;
        lost.clear();
        close();
    }

    /** It may have been said before the destination was asked. */
    void refused() {
        close();
    }

    private void close() {
        if (breaker.isOpen()) {
            breaker.close();
            silentSince = null;
            slowStart.begin();
            changes += widespread ? 1 : 0;
            widespread = false;
        }
    }

    /** The destination is down, whatever was sent. */
    void unavailable(Sent sent, String reason, long now) {
        silentSince = null;
        spread();
        open(sent, reason, now);
    }

    /** The answer to this one is lost. */
    void unknown(Sent sent, String reason, long now) {
        Item item = sent.item;
        if (lost.isEmpty()) {
            lostSince = sent.sentAt;
        }
        if (lost.size() < MANY_KEYS) {
            lost.add(item.gate == null ? (Object) item.seq() : item.gate.key);
        }
        lastReason = reason;
        if (breaker.isOpen()) {
            if (lost.size() > 1) {
                spread();
            }
            open(sent, reason, now);
        } else if (lost.size() >= MANY_KEYS && !answeredLately(now)) {
            spread();
            open(sent, MANY_KEYS + " or more keys in a row got no answer: " + reason, now);
        }
    }

    private boolean answeredLately(long now) {
        return silence != null && lastAnswer != null && now - lastAnswer < silence.toNanos() / 8;
    }

    private void spread() {
        changes += widespread ? 0 : 1;
        widespread = true;
    }

    /** What else goes wrong while a probe is under way says nothing about the probe. */
    void open(Sent sent, String reason, long now) {
        boolean probed = breaker.isOpen()
                && (sent.probe == breaker.openings() || !sent.item.lane.shop.isOn(Safeguard.ONE_PROBE_AT_A_TIME));
        if (probed) {
            breaker.probeFailed(reason, now);
        } else {
            breaker.open(reason, now);
        }
    }

    /** Of an answer that nobody waits for. */
    void abandoned(Sent sent, String reason, long now) {
        if (breaker.isOpen()) {
            open(sent, reason, now);
        }
    }

    boolean isOpen() {
        return breaker.isOpen();
    }

    /** How many keys got no answer since the last answer, as far as it is counted. */
    int lostKeys() {
        return lost.size();
    }

    /** Lanes were thrown away, and with them perhaps what was to be sent again. */
    void forgetLost() {
        lost.clear();
    }

    // ---- events

    /** Whether a lost answer is this event's own trouble. */
    boolean failsAlone(Item item) {
        Doubt doubt = item.doubt;
        return !breaker.isOpen()
                && doubt != null
                && doubt.changes() == changes
                && provenUpTo != null
                && provenUpTo - doubt.since() > 0;
    }

    /** What to remember of an event whose answer is lost without being charged. */
    Doubt doubt(Item item, long now) {
        Doubt last = item.doubt;
        return new Doubt(now, last == null ? 1 : last.resends() + 1, changes);
    }

    /** How long it waits before it is sent again; while the breaker is open that one says when. */
    Duration pause(Doubt doubt) {
        if (breaker.isOpen()) {
            return Duration.ZERO;
        }
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(doubt.resends() - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    // ---- silence

    /** Opens the breaker if nothing was answered for long, and says how long that has lasted. */
    void listen(Iterable<Sent> sent, int inFlight, long now) {
        if (breaker.isOpen()) {
            if (silentSince != null) {
                breaker.open(silence(silentSince, inFlight, now), now);
            }
            return;
        }
        Long silentAt = silentAt(sent, now);
        if (silence == null || silentAt == null || silentAt - now > 0) {
            return;
        }
        if (lost.size() > 1 || waiting(sent, 2) > 1) {
            spread();
        }
        silentSince = silentAt - silence.toNanos();
        breaker.open(silence(silentSince, inFlight, now), now);
    }

    private String silence(long since, int inFlight, long now) {
        long seconds = Duration.ofNanos(now - since).toSeconds();
        return SILENT + ": " + inFlight + (inFlight == 1 ? " publication is" : " publications are")
                + " in flight, and none was answered for " + seconds + " s"
                + (lost.isEmpty() ? "" : "; the last one: " + lastReason);
    }

    /** When the silence will have lasted for long enough, or earlier; empty if there is none. */
    @Nullable
    Long silentAt(Iterable<Sent> sent, long now) {
        if (silence == null || breaker.isOpen()) {
            return null;
        }
        if (sent.iterator().hasNext() && !endsWithAnswers(sent.iterator().next())) {
            return sent.iterator().next().sentAt + silence.toNanos();
        }
        if (lastAnswer != null && lastAnswer + silence.toNanos() - now > 0) {
            return sent.iterator().hasNext() || !lost.isEmpty() ? lastAnswer + silence.toNanos() : null;
        }
        Long since = waitingSince(sent);
        return since == null ? null : laterOfLastAnswer(since) + silence.toNanos();
    }

    private long laterOfLastAnswer(long since) {
        return lastAnswer != null && lastAnswer - since > 0 ? lastAnswer : since;
    }

    private @Nullable Long waitingSince(Iterable<Sent> sent) {
        Long since = lost.isEmpty() ? null : (Long) lostSince;
        for (Sent one : sent) {
            if (isAwaited(one)) {
                return since == null || since - one.sentAt > 0 ? (Long) one.sentAt : since;
            }
        }
        return since;
    }

    private int waiting(Iterable<Sent> sent, int most) {
        int count = 0;
        for (Sent one : sent) {
            if (count < most && isAwaited(one)) {
                count++;
            }
        }
        return count;
    }

    private static boolean endsWithAnswers(Sent sent) {
        return sent.item.lane.shop.isOn(Safeguard.ANSWERS_END_THE_SILENCE);
    }

    private boolean isAwaited(Sent sent) {
        return !sent.isSettled() && (provenUpTo == null || provenUpTo - sent.sentAt <= 0);
    }
}
