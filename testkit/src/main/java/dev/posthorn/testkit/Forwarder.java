package dev.posthorn.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;

/**
 * An address before a server, through which nothing passes while it is frozen. Connections stay open and new ones are
 * taken: to both ends it looks as if the other had nothing to say. It can also lose what is sent, acknowledgements included,
 * make answers late, and be shut, which ends them.
 */
public final class Forwarder implements AutoCloseable {

    private static final int CHUNK_BYTES = 16_384;
    private static final int MOST_CHUNKS = 1_000;

    private final ServerSocket entrance;
    private final Queue<Passage> passages = new ConcurrentLinkedQueue<>();
    private volatile int target;
    private volatile CountDownLatch open = new CountDownLatch(0);
    private volatile long answerDelay;
    private volatile UnaryOperator<InputStream> answers = UnaryOperator.identity();
    private volatile boolean loses;
    private volatile boolean shut;

    private Forwarder(ServerSocket entrance, int target) {
        this.entrance = entrance;
        this.target = target;
    }

    /** Forwards to this port of the machine. */
    public static Forwarder to(int port) {
        try {
            Forwarder forwarder = new Forwarder(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
            start(forwarder::accept);
            return forwarder;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An address whose server is not known yet; nobody should come before {@link #lead}. */
    public static Forwarder toNowhere() {
        return to(0);
    }

    /** New connections are forwarded to this port. */
    public void lead(int port) {
        target = port;
    }

    public int port() {
        return entrance.getLocalPort();
    }

    public void freeze() {
        open = new CountDownLatch(1);
    }

    public void thaw() {
        open.countDown();
    }

    /** From now on nothing that is sent arrives, in both directions. New connections are taken, and are as silent. */
    public void lose() {
        loses = true;
        passages.forEach(passage -> passage.lost = true);
    }

    /** Ends {@link #lose} for new connections. Those of before stay open and silent, as behind a router that forgot them. */
    public void stopLosing() {
        loses = false;
    }

    /** What the server says arrives so much later; what it is told, at once. Zero ends that. */
    public void slow(Duration delay) {
        answerDelay = delay.toNanos();
    }

    /** What the server says on new connections goes through this. */
    public void filterAnswers(UnaryOperator<InputStream> filter) {
        answers = filter;
    }

    /** Ends every connection, and each new one at once, as if nobody was there. */
    public void shut() throws IOException {
        shut = true;
        for (Passage passage : passages) {
            passage.close();
        }
        passages.clear();
    }

    public void reopen() {
        shut = false;
    }

    private void accept() {
        try {
            while (true) {
                Passage passage = new Passage(entrance.accept());
                passages.add(passage);
                if (shut || !passage.begin()) {
                    passage.close();
                    passages.remove(passage);
                }
            }
        } catch (IOException closed) {
            close();
        }
    }

    /** One connection, which goes on to the server unless everything is lost. */
    private final class Passage {

        private final Socket client;
        private final Socket server = new Socket();
        private final BlockingQueue<Chunk> late = new LinkedBlockingQueue<>(MOST_CHUNKS);
        private volatile boolean lost = loses;

        Passage(Socket client) {
            this.client = client;
        }

        /** False if the server is not there. */
        boolean begin() {
            try {
                if (!lost) {
                    server.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), target));
                    InputStream said = answers.apply(server.getInputStream());
                    Forwarder.start(() -> gather(said));
                    Forwarder.start(this::answer);
                }
                InputStream asked = client.getInputStream();
                Forwarder.start(() -> ask(asked));
                return true;
            } catch (IOException refused) {
                return false;
            }
        }

        private void ask(InputStream from) {
            byte[] buffer = new byte[CHUNK_BYTES];
            try (client;
                    server) {
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    open.await();
                    if (!lost) {
                        OutputStream out = server.getOutputStream();
                        out.write(buffer, 0, read);
                        out.flush();
                    }
                }
                // The end is held back too.
                open.await();
            } catch (IOException | InterruptedException ended) {
                // Both sides are closed, as they would be without anyone in between.
            }
        }

        private void gather(InputStream from) {
            byte[] buffer = new byte[CHUNK_BYTES];
            try {
                for (int read = from.read(buffer); read >= 0; read = from.read(buffer)) {
                    late.put(new Chunk(ByteBuffer.wrap(Arrays.copyOf(buffer, read)), System.nanoTime() + answerDelay));
                }
                late.put(Chunk.end());
            } catch (IOException ended) {
                var unused = late.offer(Chunk.end());
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }

        private void answer() {
            try (client;
                    server;
                    OutputStream out = client.getOutputStream()) {
                for (Chunk next = late.take(); !next.isEnd(); next = late.take()) {
                    TimeUnit.NANOSECONDS.sleep(next.due() - System.nanoTime());
                    open.await();
                    if (!lost) {
                        out.write(next.bytes().array());
                        out.flush();
                    }
                }
                open.await();
            } catch (IOException | InterruptedException ended) {
                // Both sides are closed, as they would be without anyone in between.
            }
        }

        void close() throws IOException {
            client.close();
            server.close();
        }
    }

    /** What was read at once, and when it may arrive; nothing at the end. */
    private record Chunk(ByteBuffer bytes, long due) {

        static Chunk end() {
            return new Chunk(ByteBuffer.allocate(0), System.nanoTime());
        }

        boolean isEnd() {
            return !bytes.hasRemaining();
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            entrance.close();
            for (Passage passage : passages) {
                passage.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
