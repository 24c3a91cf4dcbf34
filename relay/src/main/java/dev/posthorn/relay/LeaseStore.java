package dev.posthorn.relay;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** Port: who may publish a lane. All times are the database's. */
public interface LeaseStore {

    /** A lane held by a relay; the epoch grows with every change of hands. */
    record Lease(int lane, long epoch) {}

    /**
     * The live relays of the route.
     *
     * @param relays how many, the one that asks included
     * @param before how many of them began before it; no two that are told of the same relays have the same number
     */
    record Crew(int relays, int before) {

        public static final Crew ALONE = new Crew(1, 0);

        /** How many of so many lanes are this relay's. All shares together are all lanes; no two differ by more than one. */
        int shareOf(int lanes) {
            return lanes / relays + (before < lanes % relays ? 1 : 0);
        }
    }

    /** What a renewal learned: which leases still stand, which relays are alive, how many lanes there are, and the route's mode. */
    record Renewal(List<Lease> held, Crew crew, int lanes, RouteMode mode) {}

    /**
     * What a relay tells of itself with each renewal, for whoever asks from another process.
     *
     * @param published events since it started
     * @param obstacle what stands in its way
     * @param outage the same in words; empty if nothing does, or the route is paused
     */
    record Report(long published, RelayStatus.Obstacle obstacle, Optional<String> outage) {

        /** Of a relay that has done nothing yet. */
        public static final Report NEW = new Report(0, RelayStatus.Obstacle.NONE, Optional.empty());
    }

    /** Extends the leases that are still this relay's, and leaves its report as a sign that it is alive. */
    Renewal renew(String relay, Collection<Lease> held, Duration ttl, Report report);

    /** Which relays are alive. Writes nothing. */
    Crew crew(String relay, Duration ttl);

    /** Takes up to {@code most} lanes that are free or expired, with a new epoch each. Never waits for a lock. */
    List<Lease> acquire(String relay, int most, Duration ttl);

    /** Gives lanes back at once. */
    void release(String relay, Collection<Lease> leases);

    /** The relay is gone: others need not wait for its share. */
    void leave(String relay);
}
