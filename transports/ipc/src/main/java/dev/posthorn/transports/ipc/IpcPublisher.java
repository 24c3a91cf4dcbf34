package dev.posthorn.transports.ipc;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Publishes to every hub there is: one for the folder, or one for each subscriber. Thread-safe. */
final class IpcPublisher implements Publisher {

    private static final Outcome CLOSED = Outcome.unavailable("the IPC publisher is closed");

    private final Reactor reactor;
    private final IpcConfig config;
    private final Hosting hosting;
    private final Directory directory;
    /** Touched by the reactor's thread. */
    private final Map<String, Outlet> outlets = new HashMap<>();

    private volatile boolean closed;

    IpcPublisher(Reactor reactor, IpcConfig config, Hosting hosting) {
        this.reactor = reactor;
        this.config = config;
        this.hosting = hosting;
        this.directory = new Directory(config);
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        List<String> hubs;
        try {
            hubs = directory.hubs();
        } catch (IOException failure) {
            Outcome outcome = Outcome.unavailable(config.folder() + " can not be read: " + Outcome.reasonOf(failure));
            publications.forEach(publication -> publication.settle(outcome));
            return;
        }
        List<Sending> sendings = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            try {
                check(publication.event());
                sendings.add(new Sending(publication, config.unroutable(), hubs.size()));
            } catch (PosthornException impossible) {
                publication.settle(Outcome.refused(String.valueOf(impossible.getMessage())));
            }
        }
        if (closed || !reactor.execute(() -> send(hubs, sendings))) {
            sendings.forEach(sending -> sending.settle(CLOSED));
        }
    }

    private void check(Event event) {
        long size = event.payloadSize();
        if (size > config.limits().maxMessageBytes()) {
            throw new PosthornException("its payload has " + size + " bytes, and the IPC transport takes "
                    + config.limits().maxMessageBytes() + " (limits.maxMessageBytes)");
        }
        EventMessage.requireReadable(event);
    }

    private void send(List<String> hubs, List<Sending> sendings) {
        if (closed) {
            sendings.forEach(sending -> sending.settle(CLOSED));
            return;
        }
        if (hubs.isEmpty()) {
            sendings.forEach(sending -> sending.arrived(false));
        }
        if (outlets.size() > hubs.size()) {
            outlets.entrySet().removeIf(outlet -> {
                boolean gone = !hubs.contains(outlet.getKey());
                if (gone) {
                    outlet.getValue().close();
                }
                return gone;
            });
        }
        for (String hub : hubs) {
            outlets.computeIfAbsent(hub, any -> new Outlet(reactor, config, hub, hosting))
                    .send(sendings);
        }
    }

    /** Called from time to time, on the reactor's thread. */
    void giveUpOverdue() {
        outlets.values().forEach(Outlet::giveUpOverdue);
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        closed = true;
        boolean unused = reactor.executeAndWait(
                () -> {
                    outlets.values().forEach(Outlet::close);
                    outlets.clear();
                },
                config.timing().answer());
    }
}
