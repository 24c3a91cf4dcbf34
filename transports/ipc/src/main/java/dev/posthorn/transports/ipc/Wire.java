package dev.posthorn.transports.ipc;

import dev.posthorn.transport.Outcome;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One connection, cut into frames; the same on both sides. Belongs to the thread of its reactor.
 *
 * <p>A frame is its length in four bytes and then so many bytes. Memory for it grows with what has really come, so a length alone
 * costs nothing; one that is larger than allowed ends the connection.
 */
final class Wire implements Reactor.Ready {

    /** So much may be unwritten before an owner should wait for {@link Owner#drained}. */
    static final int HIGH_WATER = 256 << 10;

    /** The reason when the other side has closed in order, or its process is gone. */
    static final String LEFT = "the other side has closed the connection";

    private static final int READS_IN_A_TURN = 4;
    private static final int SMALL = 8 << 10;
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);

    /** Who is told what happens. */
    interface Owner {
        /** One frame without its length; what is left in the buffer afterwards is dropped. */
        void received(ByteBuffer frame) throws BadFrameException;

        /** All is written. */
        void drained();

        /** Called once. */
        void lost(String reason);
    }

    private final Reactor reactor;
    private final SocketChannel channel;
    private final SelectionKey key;
    private final Owner owner;
    private final Deque<ByteBuffer> out = new ArrayDeque<>();
    private long pending;
    private boolean queued;
    private boolean reading = true;
    private boolean closed;
    private int largest;

    /** The beginning of a frame that has not come whole. */
    private ByteBuffer begun = NONE;

    private long lastHeard = System.nanoTime();
    private long begunAt;
    private long lastWritten = System.nanoTime();

    Wire(Reactor reactor, SocketChannel channel, Owner owner, int largest) throws IOException {
        this.reactor = reactor;
        this.channel = channel;
        this.owner = owner;
        this.largest = largest;
        this.key = channel.register(reactor.selector(), SelectionKey.OP_READ, this);
    }

    void largest(int bytes) {
        largest = bytes;
    }

    /** How many bytes are not written yet. */
    long pending() {
        return pending;
    }

    boolean isClosed() {
        return closed;
    }

    /** In nanoseconds, since anything came. */
    long silence(long now) {
        return now - lastHeard;
    }

    /** In nanoseconds, since it began to hang: half a frame that does not go on, or something the other does not read. */
    long hanging(long now) {
        long half = begun.position() > 0 ? now - begunAt : 0;
        long unread = pending > 0 ? now - lastWritten : 0;
        return Math.max(half, unread);
    }

    /** Takes these buffers and writes them at the end of the turn; they must not change any more. */
    void send(ByteBuffer... parts) {
        if (closed) {
            return;
        }
        if (pending == 0) {
            lastWritten = System.nanoTime();
        }
        for (ByteBuffer part : parts) {
            pending += part.remaining();
            out.add(part);
        }
        if (!queued) {
            queued = true;
            reactor.unwritten(this);
        }
    }

    /** Takes nothing more in for now, so that the other side has to wait. */
    void reading(boolean wanted) {
        reading = wanted;
        interest();
    }

    private void interest() {
        if (!closed) {
            key.interestOps((reading ? SelectionKey.OP_READ : 0) | (pending > 0 ? SelectionKey.OP_WRITE : 0));
        }
    }

    @Override
    public void ready() {
        try {
            if (key.isWritable()) {
                write();
            }
            if (!closed && key.isReadable()) {
                read();
            }
        } catch (IOException broken) {
            close(Outcome.reasonOf(broken));
        } catch (BadFrameException bad) {
            close(String.valueOf(bad.getMessage()));
        } catch (RuntimeException
                | Error failure) { // what was read and not taken is lost, so frames would not fit any more
            close(Outcome.reasonOf(failure));
            throw failure;
        }
    }

    private void read() throws IOException, BadFrameException {
        ByteBuffer data = reactor.incoming;
        for (int i = 0; i < READS_IN_A_TURN && reading && !closed; i++) {
            data.clear();
            int count = channel.read(data);
            if (count < 0) {
                close(LEFT);
                return;
            }
            lastHeard = count > 0 ? System.nanoTime() : lastHeard;
            data.flip();
            while (data.hasRemaining() && !closed) {
                take(data);
            }
            if (count < data.capacity()) {
                return;
            }
        }
    }

    /** One frame, or as much of it as there is. */
    private void take(ByteBuffer data) throws BadFrameException {
        if (begun.position() == 0 && data.remaining() >= Integer.BYTES) {
            int length = checked(data.getInt(data.position()));
            if (data.remaining() - Integer.BYTES >= length) {
                ByteBuffer frame = data.slice(data.position() + Integer.BYTES, length);
                data.position(data.position() + Integer.BYTES + length);
                owner.received(frame);
                return;
            }
        }
        gather(data);
    }

    private void gather(ByteBuffer data) throws BadFrameException {
        if (begun.position() == 0) {
            begunAt = System.nanoTime();
        }
        while (begun.position() < Integer.BYTES && data.hasRemaining()) {
            grow(Integer.BYTES);
            begun.put(data.get());
        }
        if (begun.position() < Integer.BYTES) {
            return;
        }
        int whole = Integer.BYTES + checked(begun.getInt(0));
        int part = Math.min(whole - begun.position(), data.remaining());
        grow(Math.min(whole, Math.max(begun.position() + part, Math.min(2 * begun.capacity(), whole))));
        begun.put(begun.position(), data, data.position(), part);
        begun.position(begun.position() + part);
        data.position(data.position() + part);
        if (begun.position() == whole) {
            ByteBuffer frame = begun.flip().slice(Integer.BYTES, whole - Integer.BYTES);
            begun = begun.capacity() > SMALL ? NONE : begun.clear();
            owner.received(frame);
        }
    }

    private int checked(int length) throws BadFrameException {
        if (length < 1 || length > largest) {
            throw new BadFrameException("a frame of " + Integer.toUnsignedString(length) + " bytes was announced, and "
                    + largest + " are allowed");
        }
        return length;
    }

    private void grow(int capacity) {
        if (begun.capacity() < capacity) {
            ByteBuffer larger = ByteBuffer.allocate(Math.max(capacity, 64));
            begun = larger.put(begun.flip());
        }
    }

    /** Writes what it can. */
    void flush() {
        queued = false;
        if (closed) {
            return;
        }
        try {
            write();
        } catch (IOException broken) {
            close(Outcome.reasonOf(broken));
        }
    }

    private void write() throws IOException {
        boolean had = pending > 0;
        while (pending > 0) {
            ByteBuffer data = filled();
            int wanted = data.remaining();
            int written = channel.write(data);
            written(written);
            if (written < wanted) {
                break;
            }
        }
        interest();
        if (had && pending == 0) {
            owner.drained();
        }
    }

    /** Copied, so that many small frames are one write and a large one does not pin memory outside the heap. */
    private ByteBuffer filled() {
        ByteBuffer data = reactor.outgoing.clear();
        for (ByteBuffer part : out) {
            int count = Math.min(part.remaining(), data.remaining());
            data.put(data.position(), part, part.position(), count);
            data.position(data.position() + count);
            if (!data.hasRemaining()) {
                break;
            }
        }
        return data.flip();
    }

    private void written(int count) {
        if (count > 0) {
            lastWritten = System.nanoTime();
        }
        pending -= count;
        for (int left = count; left > 0; ) {
            ByteBuffer first = out.element();
            int part = Math.min(left, first.remaining());
            first.position(first.position() + part);
            left -= part;
            if (!first.hasRemaining()) {
                out.remove();
            }
        }
    }

    /** Tries once to say this before it closes. */
    void closeSaying(ByteBuffer last, String reason) {
        send(last);
        flush();
        close(reason);
    }

    void close(String reason) {
        if (closed) {
            return;
        }
        closed = true;
        key.cancel();
        try {
            channel.close();
        } catch (IOException ignored) {
            // it is closed all the same
        }
        out.clear();
        pending = 0;
        begun = NONE;
        owner.lost(reason);
    }
}
