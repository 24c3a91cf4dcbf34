package dev.posthorn.relay;

import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.LeaseStore.Renewal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps, takes and hands back lanes. Its own thread, so that nothing slow keeps a lease from being renewed.
 *
 * <p>A lease is trusted from when its renewal was <em>sent</em>, minus a margin, by the monotonic clock: however long
 * the answer or this process took, publishing stops before another relay may begin.
 *
 * <p>Shares need no agreement: each relay knows how many are alive and how many of them began before it, and the oldest
 * take what does not divide evenly. So a lane moves only when relays come or go.
 */
final class LeaseStep {

    /** Outages that come and go are reported no more often than that. */
    private static final Duration NEWS_PAUSE = Duration.ofSeconds(1);

    private final RelayState state;
    private final LeaseStore store;
    private final String relay;
    private final Duration ttl;
    private long renewAt;
    private RelayStatus.Obstacle reported = RelayStatus.Obstacle.NONE;
    private long reportAgainAt;
    private int share = Integer.MAX_VALUE;
    private int lanes = Integer.MAX_VALUE;
    private boolean left;
    /** Given up here, and maybe not yet in the database. */
    private final List<Lease> owed = new ArrayList<>();

    LeaseStep(RelayState state, LeaseStore store, String relay) {
        this.state = state;
        this.store = store;
        this.relay = relay;
        this.ttl = state.shop().config().leaseTtl();
        this.renewAt = state.shop().now();
        this.reportAgainAt = renewAt;
    }

    /**
     * Renews when it is time, takes what is free, hands back what is too much. Returns whether lanes changed hands. A route
     * that is retired is left.
     */
    boolean runOnce() {
        boolean changed = !isRetired() && keepShare();
        if (isRetired() && !left) {
            leave();
        }
        return changed;
    }

    /** Whether everything was given back and nothing is taken again. */
    boolean hasLeft() {
        return left;
    }

    private boolean isRetired() {
        return state.locked(() -> state.retired);
    }

    private boolean keepShare() {
        boolean inDoubt = state.locked(() -> state.renewSoon || hasNews());
        if (inDoubt || Nanos.reached(renewAt, state.shop().now())) {
            renew();
        } else if (share < lanes) {
            // When another relay leaves, its lanes must not wait for the next renewal.
            share = store.crew(relay, ttl).shareOf(lanes);
        }
        boolean changed = handBack();
        release();
        return acquire() || changed;
    }

    private void renew() {
        try {
            askToRenew();
        } catch (Throwable unsure) {
            state.locked(() -> state.renewSoon = true);
            throw unsure;
        }
    }

    private void askToRenew() {
        long sentAt = state.shop().now();
        List<Lease> mine = state.locked(() -> {
            state.renewSoon = false;
            return List.copyOf(state.leases());
        });
        LeaseStore.Report report = state.locked(this::report);
        Renewal renewal = store.renew(relay, mine, ttl, report);
        reported = report.obstacle();
        reportAgainAt = sentAt + NEWS_PAUSE.toNanos();
        renewAt = sentAt + ttl.dividedBy(3).toNanos();
        lanes = renewal.lanes();
        share = renewal.crew().shareOf(lanes);
        Set<Lease> held = Set.copyOf(renewal.held());
        List<Lease> lost = mine.stream().filter(lease -> !held.contains(lease)).toList();
        state.locked(() -> {
            mine.stream().filter(held::contains).forEach(lease -> state.leased(lease, trustFrom(sentAt)));
            lost.forEach(state::lost);
            state.renewed(renewal.mode());
        });
        if (!lost.isEmpty()) {
            state.log().warn("Another relay took over lanes " + lanesOf(lost));
        }
    }

    /** An outage must not wait for the next renewal until other processes know of it. */
    private boolean hasNews() {
        return state.obstacle() != reported
                && Nanos.reached(reportAgainAt, state.shop().now());
    }

    /** What other processes may know of this relay. */
    private LeaseStore.Report report() {
        return new LeaseStore.Report(
                state.shop().counters().published,
                state.obstacle(),
                state.isPaused() ? Optional.empty() : Optional.ofNullable(state.outage()));
    }

    private boolean acquire() {
        int mine = state.locked(() -> state.stopping || state.retired
                ? Integer.MAX_VALUE
                : state.leases().size());
        if (mine >= Math.min(share, lanes)) {
            return false;
        }
        long sentAt = state.shop().now();
        List<Lease> taken = store.acquire(relay, Math.min(share, lanes) - mine, ttl);
        state.locked(() -> taken.forEach(lease -> state.leased(lease, trustFrom(sentAt))));
        if (!taken.isEmpty()) {
            state.log().info("Took lanes " + lanesOf(taken));
        }
        return !taken.isEmpty();
    }

    private boolean handBack() {
        List<Lease> drained = state.locked(() -> {
            int surplus = state.leases().size() - share;
            List<Lease> done = new ArrayList<>();
            for (Lane lane : List.copyOf(state.lanes())) {
                if (surplus > 0) {
                    lane.drain(true);
                    surplus--;
                } else if (!state.stopping) {
                    lane.drain(false);
                }
                if (lane.draining && lane.isDrained()) {
                    done.add(lane.lease);
                    state.lost(lane.lease);
                }
            }
            return done;
        });
        owed.addAll(drained);
        return !drained.isEmpty();
    }

    /** What fails is tried again, so that no lane waits for the end of its lease. */
    private void release() {
        if (!owed.isEmpty()) {
            store.release(relay, List.copyOf(owed));
            state.log().info("Handed back lanes " + lanesOf(owed));
            owed.clear();
        }
    }

    /** Gives everything back and signs off. */
    void leave() {
        owed.addAll(state.locked(() -> {
            List<Lease> all = List.copyOf(state.leases());
            all.forEach(state::lost);
            return all;
        }));
        release();
        store.leave(relay);
        left = true;
    }

    private static List<Integer> lanesOf(List<Lease> leases) {
        return leases.stream().map(Lease::lane).toList();
    }

    private long trustFrom(long sentAt) {
        return sentAt + ttl.toNanos() - ttl.dividedBy(5).toNanos();
    }
}
