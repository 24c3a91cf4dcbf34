package dev.posthorn.transport;

import java.util.Map;

/** Something that came in for a subscriber and waits for a verdict. */
public interface Receipt {

    /**
     * 1 plus the number of times that this receiver, or as far as the transport remembers another member, asked for it again after
     * an attempt. A delivery is not an attempt.
     */
    int attempt();

    /** Where it came from in the transport's own terms, such as a partition and an offset. For logs and dead letters. */
    Map<String, String> metadata();

    /**
     * Says what became of it; the first call counts, later ones are ignored. Callable from any thread, never throws.
     *
     * <p>Until then it counts against the prefetch, its deadline at the broker is extended, and where the transport keeps
     * order nothing else of its key is handed over.
     */
    void settle(Verdict verdict);
}
