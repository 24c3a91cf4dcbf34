package dev.posthorn.transports.ipc;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Pauses;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A process's connection to a hub, from connecting to its end. Belongs to the reactor's thread. */
final class Link implements Wire.Owner {

    /** Who is told. */
    interface User {
        /** It is greeted. */
        void opened(Link link);

        void received(byte type, FrameReader frame) throws BadFrameException;

        /** Called once, also if it was never opened. */
        void ended(Link link, String reason);
    }

    /** A local socket is cheap to try. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(10);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final Reactor reactor;
    private final IpcConfig config;
    private final Path socket;
    private final User user;
    private @Nullable Wire wire;
    private @Nullable String bye;
    private boolean open;
    private boolean ended;
    private int largestFrame;

    private Link(Reactor reactor, IpcConfig config, Path socket, User user) {
        this.reactor = reactor;
        this.config = config;
        this.socket = socket;
        this.user = user;
    }

    /** For those who connect again and again. */
    static Pauses pauses() {
        return Pauses.of(FIRST_PAUSE, LONGEST_PAUSE);
    }

    /** Begins to connect; what comes of it is told later. */
    static Link connect(Reactor reactor, IpcConfig config, String hub, User user) {
        Folder folder = new Folder(config.folder());
        Link link = new Link(reactor, config, folder.socket(hub), user);
        boolean unused = reactor.execute(() -> link.begin(folder));
        return link;
    }

    private void begin(Folder folder) {
        try {
            folder.check();
            SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
            try {
                channel.configureBlocking(false);
                if (channel.connect(UnixDomainSocketAddress.of(socket))) {
                    greet(channel);
                } else {
                    channel.register(
                            reactor.selector(), SelectionKey.OP_CONNECT, (Reactor.Ready) () -> finish(channel));
                }
            } catch (IOException failure) {
                channel.close();
                throw failure;
            }
            reactor.after(config.timing().answer(), () -> {
                if (!open) {
                    end("the hub at " + socket + " did not greet within "
                            + config.timing().answer());
                }
            });
        } catch (IOException | PosthornException failure) {
            end("there is no hub at " + socket + ": " + Outcome.reasonOf(failure));
        }
    }

    private void finish(SocketChannel channel) {
        try {
            if (channel.finishConnect()) {
                greet(channel);
            }
        } catch (IOException failure) {
            end("there is no hub at " + socket + ": " + Outcome.reasonOf(failure));
        }
    }

    private void greet(SocketChannel channel) throws IOException {
        Wire made = new Wire(reactor, channel, this, config.limits().largestFrame());
        wire = made;
        made.send(Frames.hello(config.timing().answer().toMillis()));
    }

    boolean isOpen() {
        return open && !ended;
    }

    /** The hub's own. */
    int largestFrame() {
        return largestFrame;
    }

    void send(ByteBuffer... parts) {
        if (wire != null) {
            wire.send(parts);
        }
    }

    /** Ends it if nothing came for too long: the hub asks its members again and again whether they live. */
    void endIfSilent() {
        if (isOpen()
                && wire != null
                && wire.silence(System.nanoTime()) > config.timing().silence().toNanos()) {
            end("the hub at " + socket + " was silent for " + config.timing().silence());
        }
    }

    @Override
    public void received(ByteBuffer bytes) throws BadFrameException {
        FrameReader frame = new FrameReader(bytes);
        byte type = frame.number1();
        switch (type) {
            case Frames.WELCOME -> welcomed(frame);
            case Frames.PING -> send(Frames.numbered(Frames.PONG, frame.number8()));
            case Frames.BYE -> bye = "the hub at " + socket + " says: " + frame.text();
            default -> {
                if (!open) {
                    throw new BadFrameException(socket + " is no hub: it does not greet");
                }
                user.received(type, frame);
            }
        }
    }

    private void welcomed(FrameReader frame) throws BadFrameException {
        byte version = frame.number1();
        if (version != Frames.VERSION || open) {
            throw new BadFrameException("the hub at " + socket + " speaks version " + version + " of the protocol");
        }
        largestFrame = frame.number4();
        open = true;
        user.opened(this);
    }

    @Override
    public void drained() {}

    @Override
    public void lost(String reason) {
        end("the connection to " + socket + " was lost: " + reason);
    }

    void end(String reason) {
        if (ended) {
            return;
        }
        ended = true;
        String said = bye;
        if (wire != null) {
            wire.close(reason);
        }
        user.ended(this, said == null ? reason : said);
    }
}
