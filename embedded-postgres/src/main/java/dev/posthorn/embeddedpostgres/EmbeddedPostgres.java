package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * A real Postgres server of this process alone.
 *
 * <p>It listens on a free port of 127.0.0.1 and nowhere else, and lets every local user in as {@code postgres} without
 * a password. Its data lies in a folder of its own that is removed with it.
 *
 * <p>It ends with {@link #close}, and also when this process ends in any other way, be it {@code kill -9}: a small
 * shell process watches for that. There is deliberately no shutdown hook, because the hooks of an application run at the
 * same time and may still need the database; it is there until the process is gone.
 *
 * <p>It is durable as Postgres is by default, see {@link EmbeddedPostgresBuilder#unsafeFast}. Thread-safe.
 */
public final class EmbeddedPostgres implements AutoCloseable {

    private final Launch launch;
    private Server server;
    private ProcessHandle process;
    private boolean closed;

    private EmbeddedPostgres(Launch launch, Server server) throws IOException {
        this.launch = launch;
        this.server = server;
        this.process = processOf(server);
    }

    /** Starts the bundled server, or the machine's own where the bundled one does not run, with default settings. */
    public static EmbeddedPostgres start() {
        return builder().start();
    }

    public static EmbeddedPostgresBuilder builder() {
        return new EmbeddedPostgresBuilder();
    }

    /** Folders of the Postgres servers installed on this machine, for {@link EmbeddedPostgresBuilder#binaries}. */
    public static List<Path> installed() {
        try {
            return Binaries.installed();
        } catch (IOException e) {
            throw new EmbeddedPostgresException("Cannot look for installed Postgres servers: " + e.getMessage(), e);
        }
    }

    static EmbeddedPostgres start(Launch launch) throws IOException, InterruptedException {
        return new EmbeddedPostgres(launch, Server.start(launch));
    }

    /** Connects as {@code postgres} to the database {@code postgres}. */
    public String jdbcUrl() {
        return jdbcUrl("postgres");
    }

    /** Connects as {@code postgres} to this database. */
    public String jdbcUrl(String database) {
        String name = URLEncoder.encode(database, StandardCharsets.UTF_8);
        return "jdbc:postgresql://127.0.0.1:" + port() + "/" + name + "?user=postgres";
    }

    /** Creates an empty database and returns its URL. */
    public String createDatabase(String name) {
        return createDatabase(name, "template1");
    }

    /** Creates a database as another one is, which nobody may be connected to, and returns its URL. */
    public String createDatabase(String name, String template) {
        try (Connection connection = DriverManager.getConnection(jdbcUrl());
                Statement statement = connection.createStatement()) {
            statement.execute("CREATE DATABASE " + quoted(name) + " TEMPLATE " + quoted(template));
            return jdbcUrl(name);
        } catch (SQLException e) {
            throw new EmbeddedPostgresException("Cannot create database " + name + ": " + e.getMessage(), e);
        }
    }

    private static String quoted(String name) {
        return '"' + name.replace("\"", "\"\"") + '"';
    }

    public synchronized int port() {
        return server.port();
    }

    /** The process id of the server's first process; another one after {@link #restart}. */
    public synchronized long pid() {
        return process.pid();
    }

    public Path dataDirectory() {
        return launch.data();
    }

    /** Ends the server and starts it again with the same data and port. */
    public synchronized void restart(StopMode mode) {
        if (closed) {
            throw new EmbeddedPostgresException("The embedded Postgres server is closed; start another one.");
        }
        try {
            server.stop(mode, true);
            server = Server.startAgain(launch, server.port());
            process = processOf(server);
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The embedded Postgres server could not be restarted: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new EmbeddedPostgresException("Interrupted while restarting the embedded Postgres server", e);
        }
    }

    /** Ends every process of the server at once, as {@code kill -9} does. {@link #restart} or {@link #close} come after it. */
    public synchronized void kill() {
        List<ProcessHandle> children = process.descendants().toList();
        // The first process first: it would replace the others.
        process.destroyForcibly();
        children.forEach(ProcessHandle::destroyForcibly);
        process.onExit().join();
        children.forEach(child -> child.onExit().join());
    }

    /** Every process stands still without closing a connection, as behind a dead network, until {@link #thaw}. */
    public synchronized void freeze() {
        signal("STOP");
    }

    /** Goes on after {@link #freeze}. */
    public synchronized void thaw() {
        signal("CONT");
    }

    /** The first process first: it would start others. */
    private void signal(String signal) {
        signal(signal, List.of(process));
        signal(signal, process.descendants().toList());
    }

    private static void signal(String signal, List<ProcessHandle> processes) {
        List<String> command = new ArrayList<>(List.of("kill", "-" + signal));
        processes.forEach(one -> command.add(Long.toString(one.pid())));
        try {
            // One that has just ended is no fault, so what kill says about it does not count.
            new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start()
                    .waitFor();
        } catch (IOException e) {
            throw new EmbeddedPostgresException("Cannot signal the embedded Postgres server: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Makes a standby the primary and waits until it takes writes. What it had not received is lost. */
    public void promote() {
        try (Connection connection = DriverManager.getConnection(jdbcUrl());
                Statement statement = connection.createStatement();
                ResultSet answer = statement.executeQuery("SELECT pg_promote()")) {
            if (!answer.next() || !answer.getBoolean(1)) {
                throw new EmbeddedPostgresException("The standby was not promoted within a minute; see its log.");
            }
        } catch (SQLException e) {
            throw new EmbeddedPostgresException("Cannot promote: " + e.getMessage(), e);
        }
    }

    /** Ends the server, waits until it has, and removes its data. A second call does nothing. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            try {
                server.stop(StopMode.FAST, false);
            } finally {
                // Both find nothing left to do unless someone killed the shell that watches the server.
                process.destroyForcibly();
                Folders.delete(launch.instance());
            }
        } catch (IOException e) {
            throw new EmbeddedPostgresException(
                    "The embedded Postgres server could not be closed in order: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static ProcessHandle processOf(Server server) throws IOException {
        long pid = server.pid();
        return ProcessHandle.of(pid)
                .orElseThrow(() -> new IOException("The server's process " + pid + " ended right after its start"));
    }
}
