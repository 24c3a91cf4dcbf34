package dev.posthorn.postgres;

import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/** Stands between one connection and the server and counts how often the client waits for an answer. */
final class RoundTripCounter implements AutoCloseable {

    private static final int STARTUP_MESSAGE = 0;

    private final ServerSocket door;
    private final AtomicInteger roundTrips = new AtomicInteger();
    private final PGSimpleDataSource target;

    RoundTripCounter(PGSimpleDataSource target) throws IOException {
        this.target = target;
        this.door = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    }

    /** A connection with autocommit off, counted from zero. */
    Connection connect() throws IOException, SQLException {
        Thread pump = new Thread(this::serveOne, "round-trip-counter");
        pump.setDaemon(true);
        pump.start();
        PGSimpleDataSource counted = new PGSimpleDataSource();
        counted.setServerNames(new String[] {"127.0.0.1"});
        counted.setPortNumbers(new int[] {door.getLocalPort()});
        counted.setDatabaseName(target.getDatabaseName());
        counted.setUser(target.getUser() == null ? "postgres" : target.getUser());
        counted.setSslMode("disable");
        counted.setGssEncMode("disable");
        Connection connection = counted.getConnection();
        connection.setAutoCommit(false);
        roundTrips.set(0);
        return connection;
    }

    /** Round trips since the last call. */
    int take() {
        return roundTrips.getAndSet(0);
    }

    @Override
    public void close() throws IOException {
        door.close();
    }

    private void serveOne() {
        try (Socket client = door.accept();
                Socket server = new Socket(InetAddress.getLoopbackAddress(), TestPostgres.port())) {
            Thread back = new Thread(() -> copy(server, client), "round-trip-counter-back");
            back.setDaemon(true);
            back.start();
            count(
                    new DataInputStream(client.getInputStream()),
                    new DataOutputStream(new BufferedOutputStream(server.getOutputStream())));
        } catch (IOException e) {
            // The connection is over.
        }
    }

    /**
     * Passes the client's messages on; a Sync or a simple Query is where it waits. The driver sends BEGIN ahead of a
     * transaction's first statement without waiting; it is held back here until that statement comes, so that a driver
     * that did wait would never get its answer.
     */
    private void count(DataInputStream in, DataOutputStream out) throws IOException {
        int type = STARTUP_MESSAGE;
        while (true) {
            int length = in.readInt();
            byte[] body = in.readNBytes(length - Integer.BYTES);
            if (type != STARTUP_MESSAGE) {
                out.writeByte(type);
            }
            out.writeInt(length);
            out.write(body);
            if (waits(type, body)) {
                roundTrips.incrementAndGet();
                out.flush();
            }
            type = in.readUnsignedByte();
        }
    }

    private static boolean waits(int type, byte[] body) {
        boolean isBegin = type == 'Q' && new String(body, StandardCharsets.UTF_8).startsWith("BEGIN");
        return type == STARTUP_MESSAGE || type == 'S' || (type == 'Q' && !isBegin);
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // The connection is over.
        }
    }
}
