package dev.posthorn.examples.openpaw;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** An address before Redis. From some moment on, nothing that is sent through it arrives any more, acknowledgements included. */
final class AckThief implements AutoCloseable {

    private final ServerSocket entrance;
    private final int target;
    private final Queue<Socket> sockets = new ConcurrentLinkedQueue<>();
    private volatile boolean steals;

    private AckThief(ServerSocket entrance, int target) {
        this.entrance = entrance;
        this.target = target;
    }

    static AckThief before(int port) {
        try {
            AckThief thief = new AckThief(new ServerSocket(0, 50, InetAddress.getLoopbackAddress()), port);
            start(thief::accept);
            return thief;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    int port() {
        return entrance.getLocalPort();
    }

    void steal() {
        steals = true;
    }

    private void accept() {
        try {
            while (true) {
                Socket client = entrance.accept();
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
                if (!steals) {
                    out.write(buffer, 0, read);
                    out.flush();
                }
            }
        } catch (IOException ended) {
            // Both sides are closed, as they would be without anyone in between.
        }
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(work, "ack-thief");
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
