package dev.posthorn.transports.ipc;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes events from publishers and brings them to subscribers, all of them processes of this host. Any process can host one.
 *
 * <p>There is at most one for a folder: its lock file says so, and the kernel gives the lock back when the process dies. What a
 * dead one left behind, its socket above all, is replaced by the next.
 *
 * <p>Keeps events in memory only: what is queued is lost when its process dies. One thread. Thread-safe.
 */
public final class IpcHub implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(IpcHub.class);
    private static final String FULL = "full";
    private static final int BACKLOG = 512;
    private static final Duration AFTER_A_FAILED_ACCEPT = Duration.ofMillis(100);
    private static final Duration DRAIN_LOOK = Duration.ofMillis(5);

    private final Folder folder;
    private final String name;
    private final IpcConfig config;
    private final HubLock lock;
    private final Switchboard board;
    private final ServerSocketChannel server;
    private final Reactor reactor;
    private final FailureLog accepting = new FailureLog(LOG, "Accepting connections", "transport=ipc");
    private boolean closed;

    private IpcHub(Folder folder, String name, IpcConfig config, HubLock lock) throws IOException {
        this.folder = folder;
        this.name = name;
        this.config = config;
        this.lock = lock;
        this.board = new Switchboard(
                config, new GroupsFile(folder.groups(name)), new DeadLetters(folder, name, Clock.systemUTC()));
        this.server = listen(folder, name);
        this.reactor = new Reactor("posthorn-ipc-" + name);
    }

    /** Hosts the hub of the folder; throws {@link PosthornException} if another process does, or the folder is not fit. */
    public static IpcHub start(IpcConfig config) {
        return tryStart(config, Folder.HUB)
                .orElseThrow(() -> new PosthornException("Another one hosts the hub in " + config.folder()
                        + ": it has the lock " + new Folder(config.folder()).lock(Folder.HUB)
                        + ". Stop it first, or use the one there is."));
    }

    /** Empty if another one has the lock. */
    static Optional<IpcHub> tryStart(IpcConfig config, String name) {
        Folder folder = new Folder(config.folder());
        Path socket = folder.socket(name);
        @Nullable HubLock lock = null;
        try {
            folder.create();
            lock = HubLock.tryTake(folder.lock(name)).orElse(null);
            if (lock == null) {
                return Optional.empty();
            }
            if (answers(socket)) {
                throw new PosthornException(
                        socket + " answers although its lock was free: somebody has removed the lock"
                                + " file of a living hub. Stop that one.");
            }
            IpcHub hub = new IpcHub(folder, name, config, lock);
            hub.run();
            lock = null;
            return Optional.of(hub);
        } catch (IOException failure) {
            throw new PosthornException(
                    "A hub can not be hosted at " + socket + ": " + Outcome.reasonOf(failure), failure);
        } finally {
            release(lock);
        }
    }

    private static void release(@Nullable HubLock lock) {
        if (lock != null) {
            try {
                lock.close();
            } catch (IOException failure) {
                LOG.warn("A lock could not be given back: {}", failure.toString());
            }
        }
    }

    private static boolean answers(Path socket) {
        if (!Files.exists(socket)) {
            return false;
        }
        try (SocketChannel probe = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            probe.configureBlocking(false);
            return probe.connect(UnixDomainSocketAddress.of(socket));
        } catch (IOException nobody) {
            return false;
        }
    }

    /**
     * The socket is made in a folder that nobody else can look into, gets its rights there, and is then moved to its place: there
     * is no moment in which others could connect, whatever the umask is. Moving replaces what a dead hub left behind.
     */
    private static ServerSocketChannel listen(Folder folder, String name) throws IOException {
        Path cradle = folder.cradle(name);
        Path young = cradle.resolve("s");
        Files.deleteIfExists(young);
        Files.deleteIfExists(cradle);
        Files.createDirectory(cradle, Folder.OWNERS_FOLDER);
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            server.bind(UnixDomainSocketAddress.of(young), BACKLOG);
            Files.setPosixFilePermissions(young, PosixFilePermissions.fromString("rw-------"));
            server.configureBlocking(false);
            Files.move(young, folder.socket(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            Files.delete(cradle);
            return server;
        } catch (IOException failure) {
            server.close();
            throw failure;
        }
    }

    private void run() throws IOException {
        boolean unused = reactor.execute(this::accepting);
        Duration often =
                shorter(config.timing().patience(), config.timing().silence()).dividedBy(4);
        reactor.every(shorter(often, Duration.ofSeconds(1)), board::tidy);
        reactor.every(config.timing().silence().dividedBy(3), board::ping);
        LOG.info("Hosting {} at {}", board, folder.socket(name));
    }

    private static Duration shorter(Duration one, Duration other) {
        Duration shorter = one.compareTo(other) < 0 ? one : other;
        return shorter.toMillis() < 1 ? Duration.ofMillis(1) : shorter;
    }

    private void accepting() {
        try {
            server.register(reactor.selector(), SelectionKey.OP_ACCEPT, (Reactor.Ready) this::accept);
        } catch (IOException closedMeanwhile) {
            LOG.debug("{} is closed already", board);
        }
    }

    /** When descriptors run out, it pauses: the connection that could not be taken stays in the line. */
    private void accept() {
        try {
            SocketChannel channel = server.accept();
            if (channel != null) {
                take(channel);
            }
            accepting.recovered();
        } catch (IOException failure) {
            accepting.failed(failure);
            SelectionKey key = server.keyFor(reactor.selector());
            if (key != null && key.isValid()) {
                key.interestOps(0);
                reactor.after(AFTER_A_FAILED_ACCEPT, this::accepting);
            }
        }
    }

    private void take(SocketChannel channel) throws IOException {
        if (board.isFull()) {
            accepting.failed(FULL, "there are " + board.connections() + " connections already (limits.connections)");
            channel.close();
            return;
        }
        accepting.recovered(FULL);
        channel.configureBlocking(false);
        Caller caller = new Caller(board);
        caller.wire(new Wire(reactor, channel, caller, Frames.LARGEST_HELLO));
        board.add(caller);
    }

    /** How many connections there are. */
    public int connections() {
        int[] count = new int[1];
        boolean unused = reactor.executeAndWait(
                () -> count[0] = board.connections(), config.timing().answer());
        return count[0];
    }

    /** How many accepted events are not settled, over all subscribers. */
    public int unsettled() {
        int[] count = new int[1];
        boolean unused = reactor.executeAndWait(
                () -> count[0] = board.unsettled(), config.timing().answer());
        return count[0];
    }

    /** Takes nothing new, waits for the queues to be handled within the drain time, and ends. What is left is dropped, and logged. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        CountDownLatch drained = new CountDownLatch(1);
        boolean unused = reactor.execute(() -> {
            board.close();
            awaitDrained(drained);
        });
        try {
            var unusedAnswer = drained.await(config.timing().drain().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
        }
        unused = reactor.executeAndWait(this::end, config.timing().answer());
        reactor.close();
        release(lock);
    }

    private void awaitDrained(CountDownLatch drained) {
        if (board.isDrained()) {
            drained.countDown();
        } else {
            reactor.after(DRAIN_LOOK, () -> awaitDrained(drained));
        }
    }

    private void end() {
        int left = board.unsettled();
        if (left > 0) {
            LOG.warn("{} is closed with {} accepted events that nobody has handled; they are dropped.", board, left);
        }
        board.end();
        try {
            Files.deleteIfExists(folder.socket(name));
            server.close();
        } catch (IOException failure) {
            LOG.warn("{} could not be closed in order: {}", board, failure.toString());
        }
    }
}
