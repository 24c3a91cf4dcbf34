package dev.posthorn.benchmarks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.event.Event;
import dev.posthorn.transport.EventMessage;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Speaks the protocol of the hub as its README describes it, over a blocking socket: a thousand frames in one write. */
final class IpcSocketClient implements PlainClient {

    private static final int MAGIC = 0x5048524E;
    private static final int HELLO = 1;
    private static final int PUBLISH = 2;
    private static final int WELCOME = 33;
    private static final int ANSWER = 34;
    private static final int TOGETHER = 1_000;

    private final SocketChannel channel;
    private final DataInputStream in;

    IpcSocketClient(Path socket) {
        try {
            channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
            in = new DataInputStream(new BufferedInputStream(Channels.newInputStream(channel), 1 << 16));
            ByteArrayOutputStream hello = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(hello);
            out.writeInt(10);
            out.writeByte(HELLO);
            out.writeInt(MAGIC);
            out.writeByte(1);
            out.writeInt(60_000);
            write(hello);
            int length = in.readInt();
            int type = in.readByte();
            in.skipNBytes(length - 1);
            if (type != WELCOME) {
                throw new IllegalStateException("The hub does not greet.");
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void publish(List<Event> events, Consumer<Event> confirmed) {
        CompletableFuture<Void> answers = CompletableFuture.runAsync(() -> read(events, confirmed));
        try {
            ByteArrayOutputStream together = new ByteArrayOutputStream();
            for (int i = 0; i < events.size(); i++) {
                write(new DataOutputStream(together), i, events.get(i));
                if (i % TOGETHER == TOGETHER - 1) {
                    write(together);
                    together.reset();
                }
            }
            write(together);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Answers.await(answers);
    }

    private static void write(DataOutputStream out, long number, Event event) throws IOException {
        ByteArrayOutputStream message = new ByteArrayOutputStream();
        DataOutputStream fields = new DataOutputStream(message);
        Map<String, String> headers = EventMessage.headersOf(event);
        fields.writeInt(headers.size());
        for (Map.Entry<String, String> header : headers.entrySet()) {
            text(fields, header.getKey());
            text(fields, header.getValue());
        }
        fields.write(event.payloadBytes());
        out.writeInt(10 + message.size());
        out.writeByte(PUBLISH);
        out.writeLong(number);
        out.writeByte(0);
        message.writeTo(out);
    }

    private static void text(DataOutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(UTF_8);
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private void write(ByteArrayOutputStream bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.wrap(bytes.toByteArray());
        while (buffer.hasRemaining()) {
            channel.write(buffer);
        }
    }

    /** Answers come in any order. */
    private void read(List<Event> events, Consumer<Event> confirmed) {
        try {
            for (int i = 0; i < events.size(); i++) {
                int length = in.readInt();
                int type = in.readByte();
                long number = in.readLong();
                int outcome = in.readByte();
                in.skipNBytes(length - 10);
                if (type != ANSWER || outcome != 0) {
                    throw new IllegalStateException("The hub answered " + outcome + " in a frame of type " + type);
                }
                confirmed.accept(events.get((int) number));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
