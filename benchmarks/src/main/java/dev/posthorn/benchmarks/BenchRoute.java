package dev.posthorn.benchmarks;

import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import javax.sql.DataSource;

/** A route of a benchmark: where it begins, who holds its lanes, and how far its checkpoints have come. */
final class BenchRoute {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Duration LOOK = Duration.ofMillis(20);

    private final BenchContext context;
    private final String name;

    BenchRoute(BenchContext context, String name) {
        this.context = context;
        this.name = name;
    }

    String name() {
        return name;
    }

    /** The stores of a relay of it; a new route begins at the beginning of the log. */
    Relay.Stores open(DataSource pool, String relay) {
        return PostgresRelayStores.open(
                pool, context.schema(), Route.named(name).fromBeginning(), relay);
    }

    /** Lets a new route begin after this place: writes what a relay that has published everything up to it would have. */
    void beginAfter(long position) throws SQLException {
        context.run(String.format(
                "WITH moved AS ("
                        + "INSERT INTO {schema}.flush (relay, snapshots) VALUES ('', ARRAY[pg_current_snapshot()]) RETURNING id)"
                        + " INSERT INTO {schema}.checkpoint (route, lane, snapshot, n, flush, position)"
                        + " SELECT r.id, l.lane, 1, 1, moved.id, %d FROM moved, {schema}.route AS r"
                        + " JOIN {schema}.lease AS l ON l.route = r.id WHERE r.name = '%s'",
                position, name));
    }

    /** Lets a new route begin at the end of the log. */
    void beginAtEnd() throws SQLException {
        beginAfter(end(context));
    }

    /** The last place of the log. */
    static long end(BenchContext context) throws SQLException {
        return (long) context.number("SELECT coalesce(pg_sequence_last_value('{schema}.outbox_seq_seq'), 0)");
    }

    /** How many events no checkpoint covers. */
    long behind() throws SQLException {
        return (long) context.number(String.format(
                "SELECT coalesce(sum(rest.events), 0) FROM ("
                        + "SELECT DISTINCT ON (c.lane) c.lane, c.position FROM {schema}.checkpoint AS c"
                        + " JOIN {schema}.route AS r ON r.id = c.route WHERE r.name = '%s' ORDER BY c.lane, c.n DESC) AS newest"
                        + " CROSS JOIN LATERAL (SELECT count(*) AS events FROM {schema}.outbox AS o"
                        + " WHERE o.lane = newest.lane AND o.seq > newest.position) AS rest",
                name));
    }

    void awaitCheckpoints() throws SQLException {
        await("the checkpoints of " + name + " cover the log", () -> behind() == 0);
    }

    /** Waits until so many relays hold their fair shares of the lanes. */
    void awaitFairShares(int relays) throws SQLException {
        String owners = String.format(
                "SELECT count(*) FROM (SELECT l.owner FROM {schema}.lease AS l"
                        + " JOIN {schema}.route AS r ON r.id = l.route, {schema}.log"
                        + " WHERE r.name = '%s' AND l.owner IS NOT NULL AND l.expires_at > clock_timestamp()"
                        + " GROUP BY l.owner, log.lanes"
                        + " HAVING count(*) BETWEEN log.lanes / %2$d AND (log.lanes + %2$d - 1) / %2$d) AS owners",
                name, relays);
        await(relays + " relays share the lanes of " + name, () -> (int) context.number(owners) == relays);
    }

    private interface Condition {
        boolean holds() throws SQLException;
    }

    private static void await(String what, Condition condition) throws SQLException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.holds()) {
            if (System.nanoTime() - end > 0) {
                throw new IllegalStateException("Waited for " + PATIENCE.toSeconds() + " s in vain until " + what);
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }
}
