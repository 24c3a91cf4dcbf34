package dev.posthorn.inboxes.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews what sessions of this process have claimed, all in one step at the server.
 *
 * <p>A mark that is gone is not made again here: a session may have ended meanwhile, and its mark would come back to life.
 */
final class RenewStep {

    private static final Logger LOG = LoggerFactory.getLogger(RenewStep.class);

    private final Redis redis;
    private final Duration lease;
    private final Set<Claim> claims = ConcurrentHashMap.newKeySet();

    RenewStep(Redis redis, Duration lease) {
        this.redis = redis;
        this.lease = lease;
    }

    void add(Claim claim) {
        claims.add(claim);
    }

    void remove(Claim claim) {
        claims.remove(claim);
    }

    int claims() {
        return claims.size();
    }

    void runOnce() {
        List<Claim> owners = new ArrayList<>();
        List<String> marks = new ArrayList<>();
        List<String> arguments = new ArrayList<>(List.of(Long.toString(lease.toMillis())));
        for (Claim claim : claims) {
            for (String mark : claim.marks()) {
                owners.add(claim);
                marks.add(mark);
                arguments.add(claim.value());
            }
        }
        if (marks.isEmpty()) {
            return;
        }
        long sentAt = System.nanoTime();
        note(owners, marks, redis.run(Script.RENEW, marks, arguments), sentAt);
    }

    /** A claim is as good as the worst of its marks. */
    private void note(List<Claim> owners, List<String> marks, List<Long> answers, long sentAt) {
        Set<Claim> whole = new HashSet<>(owners);
        for (int i = 0; i < owners.size(); i++) {
            long answer = answers.get(i);
            if (answer != 1) {
                whole.remove(owners.get(i));
            }
            if (answer < 0 && claims.contains(owners.get(i))) {
                owners.get(i).lost();
                LOG.warn("{} was taken by another member while it was in work here", marks.get(i));
            }
        }
        whole.forEach(claim -> claim.renewed(sentAt));
    }
}
