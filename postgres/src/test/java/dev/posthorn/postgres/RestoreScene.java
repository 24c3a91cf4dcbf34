package dev.posthorn.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.testkit.Await;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;

/**
 * A log in every state at once, dumped while it is written and published.
 *
 * <p>Route main stands still with a blocked key, a dead letter, a scheduled event, and rows that committed late. Route shop has
 * a filter and is in the middle of paging a large late transaction. Route busy publishes while the dump is made. Nothing of route
 * slow was ever published.
 */
final class RestoreScene {

    static final List<String> ROUTES = List.of("main", "shop", "busy", "slow");
    static final String STUCK = "stuck";
    private static final String HUGE = "huge";
    private static final int LATE_ROWS = 30;
    private static final int LATE_ROWS_PUBLISHED = 10;
    private static final int TRANSACTIONS = 12;

    private final TestPostgres source;
    private final PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Random random = TestSeed.next("RestoreScene").random();

    /** What each route's destination has accepted from the source. */
    final Map<String, List<Event>> accepted = new TreeMap<>();

    final Path dump;

    private RestoreScene(TestPostgres source, Path dump) {
        this.source = source;
        this.dump = dump;
        ROUTES.forEach(route -> accepted.put(route, new ArrayList<>()));
    }

    /** @param burnt so many transaction ids that the source has used before */
    static RestoreScene play(InstalledPostgres installed, Path folder, int burnt) throws Exception {
        try (EmbeddedPostgres server = installed.start()) {
            TestPostgres source = TestPostgres.migrated(server);
            burn(source, burnt);
            RestoreScene scene = new RestoreScene(source, folder.resolve("dump.sql"));
            scene.play(installed);
            return scene;
        }
    }

    static void burn(TestPostgres postgres, int xids) throws SQLException {
        postgres.run(
                "DO $$ BEGIN FOR i IN 1.." + xids + " LOOP PERFORM pg_current_xact_id(); COMMIT; END LOOP; END $$");
    }

    private void play(InstalledPostgres installed) throws Exception {
        PostgresRoutes routes = new PostgresRoutes(source.dataSource(), Schema.DEFAULT);
        routes.create(Route.named("main").fromBeginning());
        routes.create(Route.named("shop").withFilter(RouteFilter.ofDomains("shop")));
        routes.create(Route.named("busy"));
        routes.create(Route.named("slow"));
        try (HikariDataSource pool = source.pool();
                Writers writers = new Writers(source, pool);
                Connection late = source.transaction();
                Connection large = source.transaction();
                Connection lost = source.transaction();
                Connection inFlight = source.transaction();
                PublishedRoute busy = PublishedRoute.start(pool, "busy", event -> true)) {
            writers.emit(late, "long-0", 3);
            outbox.emit(large, keyed(HUGE, LATE_ROWS));
            writers.emit(lost, "long-1", 3);
            publishSome(pool, writers);
            late.commit();
            large.commit();
            lost.rollback();
            pageInto(HUGE);
            writers.run(TRANSACTIONS, random);

            writers.emit(inFlight, "long-2", 3);
            Thread load = new Thread(() -> runQuietly(writers));
            load.start();
            installed.dump(source, dump);
            inFlight.commit();
            load.join();
            accepted.put("busy", busy.stop());
        }
    }

    private void publishSome(HikariDataSource pool, Writers writers) throws Exception {
        try (PublishedRoute main = PublishedRoute.start(
                        pool, "main", event -> !event.key().orElse("").equals(STUCK));
                PublishedRoute shop = PublishedRoute.start(pool, "shop", event -> true)) {
            emit(keyed(STUCK, 3));
            emit(List.of(Event.of("other", PublishedRoute.POISON).key("bad").build()));
            emit(List.of(Event.of("other", "scheduled")
                    .key("later")
                    .deliverAfter(Instant.now().plusSeconds(3_600))
                    .build()));
            writers.run(TRANSACTIONS, random);
            emit(keyed(STUCK, 2));
            Await.until("main and shop have read everything", () -> count("state = 'PENDING'") == 0);
            accepted.put("main", main.stop());
            accepted.put("shop", new ArrayList<>(shop.stop()));
        }
    }

    private long count(String condition) {
        try {
            return Long.parseLong(source.rows("SELECT count(*) FROM posthorn.outbox_status"
                            + " WHERE route IN ('main', 'shop') AND " + condition)
                    .get(0));
        } catch (SQLException failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void runQuietly(Writers writers) {
        try {
            writers.run(TRANSACTIONS, random);
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    private void emit(List<Event> events) throws SQLException {
        try (Connection connection = source.transaction()) {
            outbox.emit(connection, events);
            connection.commit();
        }
    }

    private static List<Event> keyed(String key, int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> Event.of("shop", "changed").key(key).build())
                .toList();
    }

    /** Leaves route shop as a relay would that was stopped while it paged the late rows of this key. */
    private void pageInto(String key) throws SQLException {
        List<String> seqs = source.rows("SELECT seq FROM posthorn.outbox WHERE key = '" + key + "' ORDER BY seq");
        source.run("""
                WITH newest AS (
                  SELECT c.*, f.snapshots[c.snapshot] AS seen FROM posthorn.checkpoint c
                  JOIN posthorn.flush f ON f.id = c.flush JOIN posthorn.route r ON r.id = c.route AND r.name = 'shop'
                  WHERE c.lane = (SELECT lane FROM posthorn.outbox WHERE key = '%1$s' LIMIT 1) ORDER BY c.n DESC LIMIT 1
                ), flush AS (
                  INSERT INTO posthorn.flush (relay, snapshots) SELECT 'r', ARRAY[seen, pg_current_snapshot()] FROM newest
                  RETURNING id
                )
                INSERT INTO posthorn.checkpoint (route, lane, n, flush, position, snapshot, pin, late)
                SELECT n.route, n.lane, n.n + 1, flush.id, greatest(n.position, %2$s), 1, 2, %3$s FROM newest n, flush
                """.formatted(
                key, Collections.max(seqs.stream().map(Long::valueOf).toList()), seqs.get(LATE_ROWS_PUBLISHED - 1)));
        List<String> ids = source.rows("SELECT id FROM posthorn.outbox WHERE key = '" + key + "' ORDER BY seq");
        Objects.requireNonNull(accepted.get("shop"))
                .addAll(ids.subList(0, LATE_ROWS_PUBLISHED).stream()
                        .map(id -> Event.of("shop", "changed")
                                .id(UUID.fromString(id))
                                .key(key)
                                .build())
                        .toList());
    }
}
