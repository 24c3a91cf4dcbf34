package dev.posthorn.console;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an {@link HttpAcceptor}: it reads a head, then is answered and closed, or joined to a connection of the server
 * behind. Used by the acceptor's thread alone.
 */
final class HttpConnection {

    private static final int BUFFER = 16 * 1024;

    /** Decides about a whole head. */
    @FunctionalInterface
    interface Router {
        /** Returns the reply, or empty if the server behind is to give it. */
        Optional<Reply> route(byte[] head, int length);
    }

    /** A reply that ends its connection. */
    record Reply(Answer answer, boolean headOnly) {}

    /** Bytes on their way from one side to the other. */
    private static final class Flow {
        private final ByteBuffer bytes;
        private boolean ended;
        private boolean passedOn;

        Flow(byte[] first, int length) {
            bytes = ByteBuffer.allocate(Math.max(BUFFER, length));
            bytes.put(first, 0, length);
        }

        /** Moves what can be moved without waiting. */
        void move(SocketChannel from, SocketChannel to) throws IOException {
            boolean moved = true;
            while (moved) {
                int read = ended || !bytes.hasRemaining() ? 0 : from.read(bytes);
                ended |= read < 0;
                bytes.flip();
                int written = bytes.hasRemaining() ? to.write(bytes) : 0;
                bytes.compact();
                moved = read > 0 || written > 0;
            }
            if (ended && isEmpty() && !passedOn) {
                to.shutdownOutput();
                passedOn = true;
            }
        }

        boolean isEmpty() {
            return bytes.position() == 0;
        }

        boolean wantsMore() {
            return !ended && bytes.hasRemaining();
        }
    }

    private final SocketChannel client;
    private final SelectionKey clientKey;
    private final Selector selector;
    private final Router router;
    private final long since = System.nanoTime();
    private byte[] head = new byte[1024];
    private int length;
    private boolean wantsServer;
    private boolean closed;
    private @Nullable ByteBuffer reply;
    private @Nullable Behind behind;

    /** The connection of the server behind. */
    private record Behind(SocketChannel channel, SelectionKey key, Flow there, Flow back) {}

    HttpConnection(SocketChannel client, Selector selector, Router router) throws IOException {
        this.client = client;
        this.selector = selector;
        this.router = router;
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.TCP_NODELAY, true);
        this.clientKey = client.register(selector, SelectionKey.OP_READ, this);
    }

    boolean isClosed() {
        return closed;
    }

    /** Returns whether its head is whole and not answered here. */
    boolean wantsServer() {
        return wantsServer;
    }

    boolean isOlderThan(Duration age) {
        return System.nanoTime() - since > age.toNanos();
    }

    /** Does what can be done without waiting. */
    void proceed() throws IOException {
        if (behind != null) {
            pump(behind);
        } else if (reply != null) {
            write(reply);
        } else if (!wantsServer) {
            readHead();
        }
    }

    private void readHead() throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(head, length, head.length - length);
        if (client.read(bytes) < 0) {
            close();
            return;
        }
        int lookedAt = length;
        length = bytes.position();
        if (RequestHead.isWhole(head, lookedAt, length)) {
            Optional<Reply> found = router.route(head, length);
            if (found.isPresent()) {
                answer(found.get());
            } else {
                wantsServer = true;
            }
        } else if (length == RequestHead.LONGEST) {
            close();
        } else if (length == head.length) {
            head = Arrays.copyOf(head, Math.min(2 * length, RequestHead.LONGEST));
        }
    }

    private void answer(Reply found) throws IOException {
        Answer answer = found.answer();
        ByteArrayOutputStream body = new ByteArrayOutputStream();
        answer.body().writeTo(body);
        StringBuilder text = new StringBuilder("HTTP/1.1 " + answer.status() + " " + phrase(answer.status())
                + "\r\nConnection: close\r\nContent-Length: " + body.size() + "\r\n");
        answer.headers()
                .forEach((name, value) ->
                        text.append(name).append(": ").append(value).append("\r\n"));
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(text.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        if (!found.headOnly()) {
            body.writeTo(all);
        }
        reply = ByteBuffer.wrap(all.toByteArray());
        write(reply);
    }

    private static String phrase(int status) {
        return switch (status) {
            case 200 -> "OK";
            case 429 -> "Too Many Requests";
            case 503 -> "Service Unavailable";
            default -> "Answered";
        };
    }

    private void write(ByteBuffer rest) throws IOException {
        client.write(rest);
        if (rest.hasRemaining()) {
            clientKey.interestOps(SelectionKey.OP_WRITE);
        } else {
            close();
        }
    }

    /** Joins it to the server behind, to which the head is sent first. */
    void forwardTo(InetSocketAddress server) throws IOException {
        wantsServer = false;
        SocketChannel channel = SocketChannel.open();
        try {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.connect(server);
            SelectionKey key = channel.register(selector, SelectionKey.OP_CONNECT, this);
            behind = new Behind(channel, key, new Flow(head, length), new Flow(head, 0));
            clientKey.interestOps(0);
            head = new byte[0];
        } catch (IOException refused) {
            channel.close();
            throw refused;
        }
    }

    private void pump(Behind server) throws IOException {
        if (server.channel().isConnectionPending() && !server.channel().finishConnect()) {
            return;
        }
        server.there().move(client, server.channel());
        server.back().move(server.channel(), client);
        if (server.back().passedOn) {
            close();
            return;
        }
        clientKey.interestOps(interest(server.there(), server.back()));
        server.key().interestOps(interest(server.back(), server.there()));
    }

    private static int interest(Flow from, Flow to) {
        return (from.wantsMore() ? SelectionKey.OP_READ : 0) | (to.isEmpty() ? 0 : SelectionKey.OP_WRITE);
    }

    void close() {
        closed = true;
        quietly(client);
        if (behind != null) {
            quietly(behind.channel());
        }
    }

    private static void quietly(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException gone) {
            return; // it is closed either way
        }
    }
}
