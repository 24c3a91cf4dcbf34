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
    private final int attempt;

    IpcArrival(Reactor reactor, Link link, long number, int attempt) {
        this.reactor = reactor;
        this.link = link;
        this.number = number;
        this.attempt = attempt;
    }

    @Override
    public int attempt() {
        return attempt;
    }

    @Override
    public Map<String, String> metadata() {
        return Map.of("ipc.number", Long.toString(number));
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
