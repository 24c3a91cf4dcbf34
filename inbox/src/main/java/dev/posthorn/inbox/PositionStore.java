package dev.posthorn.inbox;

import java.util.OptionalLong;

/**
 * Port: how far each handler is with each key, by the events' own sequences, kept together with its effects. What it
 * throws is judged like what the handler throws, see {@link Units#troubleOf}. Thread-safe.
 *
 * @param <T> what handlers work in
 */
public interface PositionStore<T> {

    /**
     * Moves a position to this sequence, within what its handler works in, if that is the next one or the key is new. Waits
     * for others who move it.
     *
     * @param overGaps whether any later sequence is as good as the next one
     * @return empty if it moved; otherwise where the position is, and it stays there
     */
    OptionalLong advance(T transaction, HandlerId handler, String key, long sequence, boolean overGaps);
}
