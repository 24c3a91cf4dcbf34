package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.InboxException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The steps of a mark's life, each one script: claimed, made sure of, done, given up. Thread-safe. */
final class Marks {

    private static final Logger LOG = LoggerFactory.getLogger(Marks.class);

    private final Redis redis;
    private final Keys keys;
    private final RedisInboxConfig config;
    private final RenewStep renewals;

    Marks(Redis redis, RedisInboxConfig config, RenewStep renewals) {
        this.redis = redis;
        this.keys = new Keys(config.prefix());
        this.config = config;
        this.renewals = renewals;
    }

    /**
     * What became of a claim.
     *
     * @param fresh which of those that were asked for, by place, are claimed now
     * @param waiting how long somebody else may have one of them; zero if nobody has, otherwise nothing is claimed
     */
    record Claimed(List<Integer> fresh, Duration waiting) {}

    Duration patience() {
        return config.timing().patience();
    }

    /** Whether nothing will ever be marked any more. */
    boolean isClosed() {
        return redis.isClosed();
    }

    Claimed claim(Claim claim, HandlerId handler, List<UUID> events) {
        List<String> asked =
                events.stream().map(event -> keys.mark(handler, event)).toList();
        long sentAt = System.nanoTime();
        List<Long> answer = redis.runToTheEnd(Script.CLAIM, asked, List.of(claim.value(), lease()));
        if (answer.get(0) == 0) {
            return new Claimed(List.of(), Duration.ofMillis(Math.max(1, answer.get(1))));
        }
        List<Integer> fresh =
                answer.stream().skip(1).map(place -> Math.toIntExact(place) - 1).toList();
        if (!fresh.isEmpty()) {
            claim.add(fresh.stream().map(asked::get).toList(), sentAt);
            renewals.add(claim);
        }
        return new Claimed(fresh, Duration.ZERO);
    }

    /** Before effects are kept: throws if somebody else has one of the events. */
    void fence(Claim claim) {
        List<String> marks = claim.marks();
        List<Long> lost = redis.runToTheEnd(Script.FENCE, marks, List.of(claim.value(), lease()));
        if (!lost.isEmpty()) {
            throw new InboxException("Another member has taken "
                    + marks.get(Math.toIntExact(lost.get(0)) - 1)
                    + ", because this process stood still for longer than the lease of "
                    + config.timing().lease() + ". Nothing was kept here.");
        }
    }

    /**
     * After effects are kept.
     *
     * @param first whether this was never tried; otherwise a mark that is there may be from the try before
     */
    void mark(Claim claim, boolean first) {
        List<String> marks = claim.marks();
        List<Long> answers = redis.runToTheEnd(Script.MARK, marks, List.of(claim.value(), millis(config.known())));
        for (int i = 0; i < answers.size(); i++) {
            if (answers.get(i) == 1 && first) {
                LOG.warn("{} was handled by another member too: this process had lost its claim", marks.get(i));
            }
        }
        int taken = answers.indexOf(2L);
        if (taken >= 0) {
            throw new MarkTakenException(
                    "Another member has " + marks.get(taken) + " in work, and its effects were kept here too");
        }
    }

    /** A session is over. What it still has is given up, unless its effects may have been kept. */
    void end(Claim claim, boolean kept) {
        renewals.remove(claim);
        if (kept || claim.marks().isEmpty()) {
            return;
        }
        try {
            redis.runToTheEnd(Script.RELEASE, claim.marks(), List.of(claim.value()));
        } catch (InboxException away) {
            LOG.debug("A claim stays until it runs out", away);
        }
    }

    boolean forget(HandlerId handler, UUID event) {
        return redis.run(Script.FORGET, List.of(keys.mark(handler, event)), List.of())
                        .get(0)
                == 1;
    }

    private String lease() {
        return millis(config.timing().lease());
    }

    private static String millis(Duration duration) {
        return Long.toString(duration.toMillis());
    }
}
