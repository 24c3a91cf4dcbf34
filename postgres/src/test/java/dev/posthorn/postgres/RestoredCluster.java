package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/** A database into which a {@link RestoreScene} was restored: what it says was published, and what is published from it. */
final class RestoredCluster implements AutoCloseable {

    final TestPostgres postgres;
    final HikariDataSource pool;
    final Writers writers;
    private final RestoreScene scene;

    /** By route, the events that were published or dead by the time of the dump, as the restored log tells. */
    private final Map<String, Set<String>> done = new TreeMap<>();

    private final Map<String, List<Event>> published = new TreeMap<>();

    RestoredCluster(TestPostgres postgres, RestoreScene scene) throws SQLException {
        this.postgres = postgres;
        this.scene = scene;
        this.pool = postgres.pool();
        this.writers = new Writers(postgres, pool);
        for (String route : RestoreScene.ROUTES) {
            done.put(route, ids(route, "state IN ('SENT', 'FAILED')"));
        }
    }

    PostgresRebase rebase() {
        return new PostgresRebase(pool, Schema.DEFAULT);
    }

    /** The source's relays held their lanes when the dump was made. */
    void awaitEndOfLeases() {
        Await.until(
                "the leases end",
                () -> query("SELECT count(*) FROM posthorn.lease WHERE expires_at > clock_timestamp()")
                        .equals(List.of("0")));
    }

    /** Publishes every route while more is written, until nothing is left. */
    void drain(Random random) throws Exception {
        List<PublishedRoute> relays = new ArrayList<>();
        try {
            for (String route : RestoreScene.ROUTES) {
                relays.add(PublishedRoute.start(pool, route, event -> true));
            }
            writers.run(3, random);
            query(
                    "WITH due AS (UPDATE posthorn.detour SET due = clock_timestamp() WHERE kind = 'SCHEDULED' RETURNING 1)"
                            + " SELECT count(*) FROM due");
            for (PublishedRoute relay : relays) {
                Await.until(
                        () -> "route " + relay.route() + " is done: "
                                + ids(relay.route(), "state NOT IN ('SENT', 'FAILED')"),
                        () -> isDone(relay.route()));
            }
        } finally {
            relays.forEach(PublishedRoute::close);
        }
        relays.forEach(relay -> published
                .computeIfAbsent(relay.route(), any -> new ArrayList<>())
                .addAll(relay.accepted()));
    }

    private boolean isDone(String route) {
        query("WITH due AS (UPDATE posthorn.detour SET due = clock_timestamp() WHERE kind = 'SCHEDULED' RETURNING 1)"
                + " SELECT count(*) FROM due");
        return ids(route, "state NOT IN ('SENT', 'FAILED')").isEmpty();
    }

    /** Whatever the log has was published: before the dump, or from here. */
    void assertNothingIsLost() {
        for (String route : RestoreScene.ROUTES) {
            Set<String> all = ids(route, "state <> 'FAILED'");
            all.removeAll(idsOf(accepted(route)));
            all.removeAll(idsOf(publishedFrom(route)));
            assertThat(all).as("lost by route " + route).isEmpty();
        }
    }

    /** What the restored log calls unread was published once, and nothing else. */
    void assertExactlyTheUnreadWasPublished() {
        for (String route : RestoreScene.ROUTES) {
            Set<String> unread = ids(route, "state <> 'FAILED'");
            unread.removeAll(doneBy(route));
            assertThat(publishedFrom(route).stream().map(event -> event.id().toString()))
                    .as("published by route " + route)
                    .containsExactlyInAnyOrderElementsOf(unread);
        }
    }

    /** Only the route that went on publishing during the dump has published anything twice. */
    void assertStoppedRoutesRepeatNothing() {
        for (String route : List.of("main", "shop", "slow")) {
            Set<String> again = idsOf(publishedFrom(route));
            again.retainAll(idsOf(accepted(route)));
            assertThat(again).as("published twice by route " + route).isEmpty();
        }
    }

    /** How many events that were done by the time of the dump were published from here too. */
    long repeated(String route) {
        Set<String> again = idsOf(publishedFrom(route));
        again.retainAll(doneBy(route));
        return again.size();
    }

    private Set<String> doneBy(String route) {
        return done.getOrDefault(route, Set.of());
    }

    /** Of every key, what was published before the dump and then from here comes in the order of the log. */
    void assertKeysAreInOrder() {
        Map<String, Long> seqs = new HashMap<>();
        query("SELECT id, seq FROM posthorn.outbox WHERE deliver_after IS NULL").forEach(row -> {
            String[] columns = row.split("\\|", -1);
            seqs.put(columns[0], Long.valueOf(columns[1]));
        });
        for (String route : RestoreScene.ROUTES) {
            List<Event> way = new ArrayList<>(accepted(route).stream()
                    .filter(event -> doneBy(route).contains(event.id().toString()))
                    .toList());
            way.addAll(publishedFrom(route));
            assertInOrder(route, way, seqs);
        }
    }

    private static void assertInOrder(String route, List<Event> way, Map<String, Long> seqs) {
        Map<String, Long> last = new HashMap<>();
        Set<String> seen = new HashSet<>();
        for (Event event : way) {
            Long seq = seqs.get(event.id().toString());
            if (event.key().isPresent() && seq != null && seen.add(event.id().toString())) {
                Long before = last.put(event.key().get(), seq);
                assertThat(seq)
                        .as("the order of key " + event.key().get() + " on route " + route)
                        .isGreaterThan(before == null ? 0 : before);
            }
        }
    }

    private List<Event> accepted(String route) {
        return scene.accepted.getOrDefault(route, List.of());
    }

    private List<Event> publishedFrom(String route) {
        return published.getOrDefault(route, List.of());
    }

    private static Set<String> idsOf(List<Event> events) {
        Set<String> ids = new HashSet<>();
        events.forEach(event -> ids.add(event.id().toString()));
        return ids;
    }

    private Set<String> ids(String route, String condition) {
        return new HashSet<>(
                query("SELECT id FROM posthorn.outbox_status WHERE route = '" + route + "' AND " + condition));
    }

    List<String> query(String sql) {
        try (Connection connection = pool.getConnection()) {
            return TestPostgres.rows(connection, sql);
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void close() {
        writers.close();
        pool.close();
    }
}
