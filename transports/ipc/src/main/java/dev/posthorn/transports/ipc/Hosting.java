package dev.posthorn.transports.ipc;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.FailureLog;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The hubs that a transport hosts, as its shape says. Thread-safe. */
final class Hosting implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Hosting.class);

    private final IpcConfig config;
    private final Map<String, IpcHub> hubs = new HashMap<>();
    private final FailureLog failures = new FailureLog(LOG, "Hosting", "transport=ipc");
    private boolean closed;

    Hosting(IpcConfig config) {
        this.config = config;
    }

    /** For publishers: of peers only their own members host them. */
    void hostIfNeeded(String hub) {
        if (config.shape() == Shape.FIRST_HOSTS) {
            host(hub);
        }
    }

    /** For members. */
    void hostForMember(String hub) {
        if (config.shape() != Shape.HUB) {
            host(hub);
        }
    }

    /** Whoever gets the lock hosts it; asked again before every try to connect, so a dead host is replaced at once. */
    private synchronized void host(String hub) {
        if (closed || hubs.containsKey(hub)) {
            return;
        }
        try {
            IpcHub.tryStart(config, hub).ifPresent(started -> hubs.put(hub, started));
            failures.recovered(hub);
        } catch (PosthornException failure) {
            failures.failed(hub, failure);
        }
    }

    /** Whether a peer has been gone for so long that publishers need not wait for it. */
    boolean isForgotten(String hub) {
        return config.shape() == Shape.PEERS
                && new GroupsFile(new Folder(config.folder()).groups(hub))
                                .age()
                                .compareTo(config.timing().absence())
                        > 0;
    }

    @Override
    public void close() {
        List<IpcHub> all;
        synchronized (this) {
            closed = true;
            all = List.copyOf(hubs.values());
        }
        all.forEach(IpcHub::close);
    }
}
