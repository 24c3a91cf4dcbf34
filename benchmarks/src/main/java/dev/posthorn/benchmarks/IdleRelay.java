package dev.posthorn.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * What a relay process without work costs: statements a second, and the share of one core that it and its server
 * processes use.
 */
final class IdleRelay {

    /** How the kernel counts time in /proc, on every Linux that Java runs on. */
    private static final double TICKS_PER_SECOND = 100;

    private static final String CORE = "% of a core";
    private static final int USER_TIME = 11;

    private final BenchContext context;

    IdleRelay(BenchContext context) {
        this.context = context;
    }

    private record Reading(double calls, double relayTicks, double serverTicks) {}

    /** Lets one come to rest, for half the time of a measurement, and measures as often as asked for. */
    List<BenchResult.Line> measure() throws SQLException {
        createExtension();
        BenchRoute route = new BenchRoute(context, "idle");
        List<Double> calls = new ArrayList<>();
        List<Double> relay = new ArrayList<>();
        List<Double> server = new ArrayList<>();
        Duration each = context.options().each();
        double seconds = each.toNanos() / 1e9;
        try (RelayChild child = startIdle(route)) {
            pause(each.dividedBy(2));
            for (int run = 0; run < context.options().runs(); run++) {
                Reading before = read(child);
                pause(each);
                Reading after = read(child);
                calls.add((after.calls() - before.calls()) / seconds);
                relay.add((after.relayTicks() - before.relayTicks()) / TICKS_PER_SECOND / seconds * 100);
                server.add((after.serverTicks() - before.serverTicks()) / TICKS_PER_SECOND / seconds * 100);
                context.say("idle: %.1f statements/s", calls.get(run));
            }
        }
        return List.of(
                new BenchResult.Line("idle relay", "statements/s", new Samples(calls)),
                new BenchResult.Line("idle relay, its process", CORE, new Samples(relay)),
                new BenchResult.Line("idle relay, server processes", CORE, new Samples(server)));
    }

    private void createExtension() {
        try {
            context.run("CREATE EXTENSION IF NOT EXISTS pg_stat_statements", "SELECT count(*) FROM pg_stat_statements");
        } catch (SQLException e) {
            throw new IllegalStateException(
                    "This benchmark needs pg_stat_statements in shared_preload_libraries and a superuser; leave out"
                            + " --database-url to run it on a server of its own.",
                    e);
        }
    }

    private RelayChild startIdle(BenchRoute route) throws SQLException {
        route.open(context.pool(), "none");
        RelayChild child = RelayChild.start(context, route, "bench", "-c pg_stat_statements.track=top");
        try {
            route.awaitFairShares(1);
            return child;
        } catch (SQLException | RuntimeException failed) {
            child.close();
            throw failed;
        }
    }

    private Reading read(RelayChild child) throws SQLException {
        double server = 0;
        for (long pid : serverProcesses()) {
            server += ticks(pid, "postgres");
        }
        return new Reading(
                context.number("SELECT coalesce(sum(s.calls), 0) FROM pg_stat_statements AS s"
                        + " JOIN pg_database AS d ON d.oid = s.dbid WHERE d.datname = current_database()"),
                ticks(child.pid(), "java"),
                server);
    }

    private List<Long> serverProcesses() throws SQLException {
        List<Long> pids = new ArrayList<>();
        try (Connection connection = context.pool().getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT pid FROM pg_stat_activity"
                        + " WHERE datname = current_database() AND application_name = '" + RelayProcess.APPLICATION
                        + "'")) {
            while (row.next()) {
                pids.add(row.getLong(1));
            }
        }
        return pids;
    }

    /** Not a number where no such process of that program runs on this machine, or there is no /proc. */
    private static double ticks(long pid, String program) {
        try {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            if (!line.contains("(" + program + ")")) {
                return Double.NaN;
            }
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            return Long.parseLong(fields[USER_TIME]) + Long.parseLong(fields[USER_TIME + 1]);
        } catch (IOException elsewhere) {
            return Double.NaN;
        }
    }

    private static void pause(Duration length) {
        long end = System.nanoTime() + length.toNanos();
        while (end - System.nanoTime() > 0) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }
}
