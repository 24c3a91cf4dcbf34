package dev.posthorn.relay;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/** Port: who may publish a lane. All times are the database's. */
public interface LeaseStore {

    /** A lane held by a relay; the epoch grows with every change of hands. */
    record Lease(int lane, long epoch) {}

    /** What a renewal learned: which leases still stand, how many relays are alive and how many lanes there are. */
    record Renewal(List<Lease> held, int liveRelays, int lanes) {}

    /** Extends the leases that are still this relay's and reports that it is alive. */
    Renewal renew(String relay, Collection<Lease> held, Duration ttl);

    /** How many relays are alive, this one included. Writes nothing. */
    int liveRelays(String relay, Duration ttl);

    /** Takes up to {@code most} lanes that are free or expired, with a new epoch each. Never waits for a lock. */
    List<Lease> acquire(String relay, int most, Duration ttl);

    /** Gives lanes back at once. */
    void release(String relay, Collection<Lease> leases);

    /** The relay is gone: others need not wait for its share. */
    void leave(String relay);
}
