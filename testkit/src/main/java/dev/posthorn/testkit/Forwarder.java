package dev.posthorn.testkit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;

/**
 * An address before a server, through which nothing passes while it is frozen. Connections stay open and new ones are
 * taken: to both ends it looks as if the other had nothing to say. It can also lose what is sent, acknowledgements included,
 * and be shut, which ends them.
 */
public final class Forwarder implements AutoCloseable {

    private final ServerSocket entrance;
    private final int target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile CountDownLatch open = new CountDownLatch(0);
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

    public int port() {
        return entrance.getLocalPort();
    }

    public void freeze() {
        open = new CountDownLatch(1);
    }

    public void thaw() {
        open.countDown();
    }

    /** From now on nothing that is sent arrives, in both directions. */
    public void lose() {
        loses = true;
    }

    /** Ends every connection, and each new one at once, as if nobody was there. */
    public void shut() throws IOException {
        shut = true;
        for (Socket socket : sockets) {
            socket.close();
        }
        sockets.clear();
    }

    public void reopen() {
        shut = false;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
                if (shut) {
                    client.close();
                    continue;
                }
                Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
                sockets.add(client);
                sockets.add(server);
                start(() -> pump(client, server));
                start(() -> pump(server, client));
            }
        } catch (IOException closed) {
            close();
        }
    }

    private void pump(Socket from, Socket to) {
        byte[] buffer = new byte[16_384];
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                open.await();
                if (!loses) {
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

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "forwarder");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            entrance.close();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
