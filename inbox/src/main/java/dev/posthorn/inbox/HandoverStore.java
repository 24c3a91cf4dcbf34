package dev.posthorn.inbox;

import dev.posthorn.event.Event;
import java.util.Collection;
import java.util.List;

/**
 * Port: events that members of a consumer hand over to each other, in the order of their keys.
 *
 * <p>Throws {@link InboxException} when out of reach. Thread-safe.
 */
public interface HandoverStore {

    /** A member of a consumer. */
    record MemberId(String consumer, String member) {}

    /** Stores an event behind those of its key. One that is stored already stays where it is. */
    void store(MemberId by, Event event);

    /** Stores an event if others of its key wait. Returns whether they do. */
    boolean storeBehindOthers(MemberId by, Event event);

    /**
     * Takes events that the member can handle, the oldest of their keys, and keeps what it has already from other members.
     *
     * @param held the keys of which the member has events
     * @param most how many events at most
     */
    List<HandedOver> take(MemberId member, Collection<String> held, int most);

    /**
     * The member is done with these. One that no other handler wants is removed.
     *
     * @param released keys of which the member has no event any more
     */
    void finish(MemberId member, Collection<Long> places, Collection<String> released);

    /** Gives back whatever the member has taken. */
    void release(MemberId member);
}
