package dev.posthorn.transports.googlepubsub;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Lets connections through to another address of this machine, until it is shut: then all are cut, and so is every new one. */
final class Gate implements AutoCloseable {

    private final int target;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final ServerSocket entrance;
    private volatile boolean shut;

    Gate(String target) {
        this.target = Integer.parseInt(target.split(":", 2)[1]);
        this.entrance = listen();
        this.port = entrance.getLocalPort();
    }

    private ServerSocket listen() {
        try {
            ServerSocket socket = new ServerSocket();
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            run(() -> accept(socket));
            return socket;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void run(Runnable work) {
        Thread thread = new Thread(work, "gate");
        thread.setDaemon(true);
        thread.start();
    }

    String address() {
        return "127.0.0.1:" + port;
    }

    private void accept(ServerSocket socket) {
        while (!socket.isClosed()) {
            try {
                Socket near = socket.accept();
                connect(near);
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void connect(Socket near) {
        if (shut) {
            reset(near);
            return;
        }
        try {
            Socket far = new Socket(InetAddress.getLoopbackAddress(), target);
            open.add(near);
            open.add(far);
            if (shut) {
                cut();
            }
            run(() -> copy(near, far));
            run(() -> copy(far, near));
        } catch (IOException nobodyBehind) {
            reset(near);
        }
    }

    private void copy(Socket from, Socket to) {
        try (from;
                to;
                InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            byte[] buffer = new byte[65_536];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                out.write(buffer, 0, read);
                out.flush();
            }
        } catch (IOException cut) {
            // both ends are closed
        } finally {
            open.remove(from);
            open.remove(to);
        }
    }

    void shut() {
        shut = true;
        cut();
    }

    /** Ends every connection; new ones are let through. */
    void cut() {
        open.forEach(Gate::reset);
        open.clear();
    }

    /** As when the other side is gone, without a farewell. */
    private static void reset(Socket socket) {
        try {
            socket.setSoLinger(true, 0);
            socket.close();
        } catch (IOException gone) {
            // so much the better
        }
    }

    void reopen() {
        shut = false;
    }

    @Override
    public void close() {
        shut();
        try {
            entrance.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
