package dev.posthorn.console;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Accepts every connection of a console on one thread that never blocks, answers probes there, and forwards the rest.
 *
 * <p>The JDK's server reads a request on a thread that waits for the rest of it, so a few requests that are sent by half keep it
 * from everything else. Here a connection costs no thread. A request is forwarded once its head is whole. A head that is not whole
 * in time, or is the oldest while too many wait, is given up. So a probe on a new connection is answered whatever else is open.
 */
final class HttpAcceptor implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpAcceptor.class);
    private static final Duration TIME_FOR_A_HEAD = Duration.ofSeconds(5);
    private static final Duration LOOK_EVERY = Duration.ofMillis(500);
    private static final Duration PAUSE_AFTER_A_FAILURE = Duration.ofMillis(50);
    private static final int MOST_HEADS = 512;
    private static final int MOST_FORWARDED = 1024;
    private static final int BACKLOG = 1024;

    private final Selector selector;
    private final ServerSocketChannel door;
    private final InetSocketAddress server;
    private final Function<Request, Answer> probes;
    private final Set<HttpConnection> heads = new LinkedHashSet<>();
    private final Set<HttpConnection> forwarded = new LinkedHashSet<>();
    private final Thread thread;
    private volatile boolean closed;

    /**
     * Starts to accept.
     *
     * @param server where all but probes is forwarded to
     * @param probes answers probes from memory
     */
    HttpAcceptor(InetSocketAddress where, InetSocketAddress server, Function<Request, Answer> probes)
            throws IOException {
        this.server = server;
        this.probes = probes;
        this.selector = Selector.open();
        this.door = ServerSocketChannel.open();
        try {
            door.bind(where, BACKLOG);
            door.configureBlocking(false);
            door.register(selector, SelectionKey.OP_ACCEPT);
        } catch (IOException | RuntimeException taken) {
            door.close();
            selector.close();
            throw taken;
        }
        this.thread = new Thread(this::run, "posthorn-http-acceptor");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return door.socket().getLocalPort();
    }

    @Override
    public void close() {
        closed = true;
        selector.wakeup();
        try {
            thread.join(Duration.ofSeconds(5).toMillis());
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        while (!closed) {
            try {
                selector.select(LOOK_EVERY.toMillis());
                for (SelectionKey key : selector.selectedKeys()) {
                    serve(key);
                }
                selector.selectedKeys().clear();
                giveUpSlowHeads();
            } catch (Throwable unexpected) { // one thread serves all, so nothing may end it
                LOG.warn("A connection was not served", unexpected);
                pause();
            }
        }
        end();
    }

    private void serve(SelectionKey key) throws IOException {
        if (!(key.attachment() instanceof HttpConnection connection)) {
            accept();
            return;
        }
        try {
            if (key.isValid()) {
                connection.proceed();
            }
        } catch (IOException | CancelledKeyException gone) {
            LOG.debug("A connection ended", gone);
            connection.close();
        } catch (RuntimeException unexpected) {
            LOG.warn("A connection was not served", unexpected);
            connection.close();
        }
        settle(connection);
    }

    private void accept() throws IOException {
        for (SocketChannel accepted = door.accept(); accepted != null; accepted = door.accept()) {
            try {
                heads.add(new HttpConnection(accepted, selector, this::route));
            } catch (IOException gone) {
                accepted.close();
            }
        }
        while (heads.size() > MOST_HEADS) {
            HttpConnection oldest = heads.iterator().next();
            oldest.close();
            settle(oldest);
        }
    }

    /** Decides about a request whose head is whole: answered here, or forwarded if empty. */
    private Optional<HttpConnection.Reply> route(byte[] bytes, int length) {
        Optional<Request> probe = RequestHead.probe(bytes, length);
        if (probe.isPresent()) {
            Answer answer = probes.apply(probe.get());
            return Optional.of(
                    new HttpConnection.Reply(answer, probe.get().method().equals("HEAD")));
        }
        return forwarded.size() < MOST_FORWARDED
                ? Optional.empty()
                : Optional.of(new HttpConnection.Reply(Console.tooBusy(), false));
    }

    /** Where a refused or forwarded connection leads. */
    private void settle(HttpConnection connection) {
        if (connection.isClosed()) {
            heads.remove(connection);
            forwarded.remove(connection);
        } else if (connection.wantsServer()) {
            heads.remove(connection);
            forwarded.add(connection);
            try {
                connection.forwardTo(server);
            } catch (IOException gone) {
                connection.close();
                forwarded.remove(connection);
            }
        }
    }

    private void giveUpSlowHeads() {
        List<HttpConnection> slow = new ArrayList<>();
        for (HttpConnection head : heads) {
            if (!head.isOlderThan(TIME_FOR_A_HEAD)) {
                break; // the rest is younger
            }
            slow.add(head);
        }
        slow.forEach(head -> {
            head.close();
            settle(head);
        });
    }

    private static void pause() {
        try {
            Thread.sleep(PAUSE_AFTER_A_FAILURE.toMillis());
        } catch (InterruptedException nobodyInterrupts) {
            LOG.debug("Interrupted", nobodyInterrupts);
        }
    }

    private void end() {
        heads.forEach(HttpConnection::close);
        forwarded.forEach(HttpConnection::close);
        try {
            door.close();
            selector.close();
        } catch (IOException atTheEnd) {
            LOG.debug("Not closed in order", atTheEnd);
        }
    }
}
