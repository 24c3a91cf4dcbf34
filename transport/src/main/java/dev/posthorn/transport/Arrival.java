package dev.posthorn.transport;

import java.time.Duration;
import java.util.Map;

/**
 * One message at the broker, as a transport knows it; what {@link Handout} asks of a transport.
 *
 * <p>Exactly one of {@link #done}, {@link #reject}, {@link #giveBack} and a {@link #retry} that answers true is called,
 * on any thread, unless the transport had the arrival {@link Handout#forget forgotten} before. None may throw or wait for the broker.
 */
public interface Arrival {

    /** The number of deliveries in the {@link #metadata}, where the broker counts them. */
    String DELIVERIES = "deliveries";

    /**
     * How often handling it has failed before, as far as the broker remembers that, plus 1. Deliveries are not counted: a restart or
     * a deployment delivers again what no handler has tried.
     */
    int attempt();

    /** Where it is at the broker, for logs and dead letters. */
    Map<String, String> metadata();

    /** It is handled. */
    void done();

    /** It goes to the dead letters, as it came, with the reason and with these headers as far as the broker has room. */
    void reject(String reason, Map<String, String> about);

    /**
     * Takes it back to bring it again by the broker's own means, after this time. False if the broker has none that
     * keeps the order: then it stays unsettled there, and is handed over again from here.
     */
    boolean retry(Duration after, String reason);

    /** The subscription ends before it was handled; somebody else shall have it, with no attempt charged where possible. */
    void giveBack();
}
