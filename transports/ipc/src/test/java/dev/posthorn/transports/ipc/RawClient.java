package dev.posthorn.transports.ipc;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Speaks the protocol by hand, well or badly. */
final class RawClient implements AutoCloseable {

    private final SocketChannel channel;

    RawClient(Path socket) throws IOException {
        channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
    }

    static SocketChannel unconnected() throws IOException {
        return SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    SocketChannel channel() {
        return channel;
    }

    void greet() throws IOException {
        write(Frames.hello(5_000));
        ByteBuffer unused = expect(Frames.WELCOME);
    }

    void publish(long number, Map<String, String> headers, byte[] payload) throws IOException {
        ByteBuffer block = Frames.headers(headers);
        write(
                Frames.publish(number, Acceptance.QUEUED, block.remaining() + payload.length),
                block,
                ByteBuffer.wrap(payload));
    }

    void write(ByteBuffer... parts) throws IOException {
        for (ByteBuffer part : parts) {
            while (part.hasRemaining()) {
                channel.write(part);
            }
        }
    }

    /** The next frame after its type, which must be this one; null at the end of the connection. */
    ByteBuffer expect(byte type) throws IOException {
        ByteBuffer frame = read();
        if (frame == null || frame.get() != type) {
            throw new AssertionError("expected a frame of type " + type + " but got " + frame);
        }
        return frame;
    }

    /** Null at the end of the connection. */
    @Nullable
    ByteBuffer read() throws IOException {
        ByteBuffer length = ByteBuffer.allocate(4);
        if (!fill(length)) {
            return null;
        }
        ByteBuffer frame = ByteBuffer.allocate(length.flip().getInt());
        return fill(frame) ? frame.flip() : null;
    }

    private boolean fill(ByteBuffer buffer) throws IOException {
        while (buffer.hasRemaining()) {
            if (channel.read(buffer) < 0) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
