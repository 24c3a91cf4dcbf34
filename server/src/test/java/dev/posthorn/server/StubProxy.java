package dev.posthorn.server;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Forwards the Postgres protocol, and refuses connections that bring one of these start-up parameters. */
final class StubProxy implements AutoCloseable {

    private static final int PROTOCOL_3 = 3;

    private final ServerSocket door;
    private final int server;
    private final String code;
    private final Set<String> refused;
    private final Set<String> accepted = new HashSet<>();

    /** Refuses with this SQLState; with an empty one it closes the connection without a word. */
    StubProxy(int server, String code, String... refused) {
        this.server = server;
        this.code = code;
        this.refused = Set.of(refused);
        try {
            this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
        daemon(this::accept);
    }

    int port() {
        return door.getLocalPort();
    }

    /** The start-up parameters of all connections that were let through. */
    synchronized Set<String> accepted() {
        return Set.copyOf(accepted);
    }

    private void accept() {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                daemon(() -> greet(client));
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void greet(Socket client) {
        try {
            DataInputStream in = new DataInputStream(client.getInputStream());
            byte[] message = in.readNBytes(in.readInt() - Integer.BYTES);
            while (ByteBuffer.wrap(message).getShort() != PROTOCOL_3) {
                client.getOutputStream().write('N'); // neither TLS nor GSS
                message = in.readNBytes(in.readInt() - Integer.BYTES);
            }
            Set<String> brought = parameters(message).keySet();
            List<String> unwanted = new ArrayList<>(brought);
            unwanted.retainAll(refused);
            if (unwanted.isEmpty()) {
                note(brought);
                forward(client, message);
            } else {
                refuse(client, unwanted.get(0));
            }
        } catch (IOException ended) {
            close(client);
        }
    }

    private synchronized void note(Set<String> brought) {
        accepted.addAll(brought);
    }

    private static Map<String, String> parameters(byte[] message) {
        String text = new String(message, Integer.BYTES, message.length - Integer.BYTES, StandardCharsets.UTF_8);
        String[] words = text.split("\0", -1);
        Map<String, String> parameters = new HashMap<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            if (!words[i].isEmpty()) { // the end of the list
                parameters.put(words[i], words[i + 1]);
            }
        }
        return parameters;
    }

    private void refuse(Socket client, String parameter) throws IOException {
        try (client) {
            if (!code.isEmpty()) {
                ByteArrayOutputStream fields = new ByteArrayOutputStream();
                fields.writeBytes(("SFATAL\0C" + code + "\0Munsupported startup parameter: " + parameter + "\0\0")
                        .getBytes(StandardCharsets.UTF_8));
                DataOutputStream out = new DataOutputStream(client.getOutputStream());
                out.write('E');
                out.writeInt(fields.size() + Integer.BYTES);
                out.write(fields.toByteArray());
                out.flush();
            }
        }
    }

    private void forward(Socket client, byte[] message) throws IOException {
        Socket to = new Socket(InetAddress.getLoopbackAddress(), server);
        DataOutputStream out = new DataOutputStream(to.getOutputStream());
        out.writeInt(message.length + Integer.BYTES);
        out.write(message);
        out.flush();
        daemon(() -> copy(to, client));
        copy(client, to);
    }

    private static void copy(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException ended) {
            // One of them has gone, so both do.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException alreadyClosed) {
            // Nothing is left to close.
        }
    }

    private static void daemon(Runnable work) {
        Thread thread = new Thread(work, "stub-proxy");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        try {
            door.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
