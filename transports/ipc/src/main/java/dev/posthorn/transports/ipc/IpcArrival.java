package dev.posthorn.transports.ipc;

import dev.posthorn.transport.Arrival;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Map;

/** A message that this member has; what becomes of it goes back over the connection it came on, or nowhere. */
final class IpcArrival implements Arrival {

    final Link link;
    private final Reactor reactor;
    private final long number;
    private final int deliveries;

    IpcArrival(Reactor reactor, Link link, long number, int deliveries) {
        this.reactor = reactor;
        this.link = link;
        this.number = number;
        this.deliveries = deliveries;
    }

    /** The hub counts deliveries only, which are none of a handler's attempts. */
    @Override
    public int attempt() {
        return 1;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of("ipc.number", Long.toString(number), DELIVERIES, Integer.toString(deliveries));
    }

    @Override
    public void done() {
        say(Frames.numbered(Frames.DONE, number));
    }

    @Override
    public void reject(String reason, Map<String, String> about) {
        say(Frames.reject(number, reason, about));
    }

    /** A hub has no delay of its own, and what is behind it in its key must wait. */
    @Override
    public boolean retry(Duration after, String reason) {
        return false;
    }

    @Override
    public void giveBack() {
        say(Frames.numbered(Frames.BACK, number));
    }

    private void say(ByteBuffer frame) {
        boolean unused = reactor.execute(() -> link.send(frame));
    }
}
