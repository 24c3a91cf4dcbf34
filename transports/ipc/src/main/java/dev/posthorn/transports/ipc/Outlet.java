package dev.posthorn.transports.ipc;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Pauses;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Brings publications to one hub. Connects when there is something to publish; what comes meanwhile waits for that. After
 * a failure all is unavailable until a pause is over, which grows with each failure. Belongs to the reactor's thread.
 */
final class Outlet implements Link.User {

    private final Reactor reactor;
    private final IpcConfig config;
    private final String hub;
    private final Hosting hosting;
    private final Pauses pauses = Link.pauses();
    private final List<Sending> waiting = new ArrayList<>();
    private final Map<Long, Sent> underway = new LinkedHashMap<>();
    private @Nullable Link link;
    private @Nullable Outcome end;
    private String lastFailure = "the hub was not reached yet";
    private long numbers;

    /** Its time starts when it is handed to the connection, not while it waits for one. */
    private record Sent(Sending sending, long at) {

        boolean isOlderThan(long nanos) {
            return System.nanoTime() - at > nanos;
        }
    }

    Outlet(Reactor reactor, IpcConfig config, String hub, Hosting hosting) {
        this.reactor = reactor;
        this.config = config;
        this.hub = hub;
        this.hosting = hosting;
    }

    void send(List<Sending> sendings) {
        Outcome over = end;
        if (over != null) {
            sendings.forEach(sending -> sending.settle(over));
        } else if (link != null && link.isOpen()) {
            sendings.forEach(this::send);
        } else if (link == null && !pauses.isOver()) {
            sendings.forEach(this::unreachable);
        } else {
            waiting.addAll(sendings);
            if (link == null) {
                hosting.hostIfNeeded(hub);
                link = Link.connect(reactor, config, hub, this);
            }
        }
    }

    private void send(Sending sending) {
        ByteBuffer begin = Frames.publish(numbers, config.acceptance(), sending.size());
        Link current = link;
        if (current == null || begin.remaining() + sending.size() - Integer.BYTES > current.largestFrame()) {
            sending.settle(Outcome.refused("it has " + sending.size() + " bytes with its headers, and the hub takes "
                    + (current == null ? 0 : current.largestFrame())));
            return;
        }
        underway.put(numbers++, new Sent(sending, System.nanoTime()));
        current.send(begin, sending.headers(), sending.payload());
    }

    /** A subscriber that has been gone for too long is no subscriber any more. */
    private void unreachable(Sending sending) {
        if (hosting.isForgotten(hub)) {
            sending.arrived(false);
        } else {
            sending.settle(Outcome.unavailable(lastFailure));
        }
    }

    @Override
    public void opened(Link opened) {
        pauses.succeeded();
        List<Sending> ready = List.copyOf(waiting);
        waiting.clear();
        ready.forEach(this::send);
    }

    @Override
    public void received(byte type, FrameReader frame) throws BadFrameException {
        if (type != Frames.ANSWER) {
            throw new BadFrameException("a frame of type " + type + " came, and only answers are expected");
        }
        Sent sent = underway.remove(frame.number8());
        byte outcome = frame.number1();
        String reason = frame.text();
        if (sent != null) {
            settle(sent.sending(), outcome, reason);
        }
    }

    private static void settle(Sending sending, byte outcome, String reason) throws BadFrameException {
        switch (outcome) {
            case Frames.ACCEPTED -> sending.arrived(true);
            case Frames.NOBODY -> sending.arrived(false);
            case Frames.REFUSED -> sending.settle(Outcome.refused(reason));
            case Frames.UNAVAILABLE -> sending.settle(Outcome.unavailable(reason));
            case Frames.UNKNOWN -> sending.settle(Outcome.unknown(reason));
            default -> {
                sending.settle(Outcome.unknown("the hub answered " + outcome + ", which is not known here"));
                throw new BadFrameException("there is no outcome " + outcome);
            }
        }
    }

    @Override
    public void ended(Link ended, String reason) {
        link = null;
        lastFailure = reason;
        var unused = pauses.failed();
        settleUnderway(Outcome.unavailable(reason));
        List<Sending> unsent = List.copyOf(waiting);
        waiting.clear();
        unsent.forEach(this::unreachable);
    }

    /** From time to time: ends the connection if something on it has waited for too long, for what comes later can not be told apart. */
    void giveUpOverdue() {
        long patience = config.timing().answer().toNanos();
        Iterator<Sent> oldest = underway.values().iterator();
        if (oldest.hasNext() && oldest.next().isOlderThan(patience)) {
            end(Outcome.unknown(
                    "the hub did not answer within " + config.timing().answer()));
        }
    }

    void close() {
        end = Outcome.unavailable("the IPC publisher is closed");
        end(Outcome.unknown("the publisher was closed before the hub answered"));
    }

    private void settleUnderway(Outcome outcome) {
        List<Sent> lost = List.copyOf(underway.values());
        underway.clear();
        lost.forEach(sent -> sent.sending().settle(outcome));
    }

    private void end(Outcome ofUnderway) {
        settleUnderway(ofUnderway);
        if (link != null) {
            link.end("it was ended here");
        }
    }
}
