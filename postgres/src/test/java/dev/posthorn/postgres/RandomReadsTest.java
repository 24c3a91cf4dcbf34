package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.event.Event;
import dev.posthorn.relay.LogEvent;
import dev.posthorn.relay.Route;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Whatever the order of inserts, commits, rollbacks and reads: each committed row is read once, in order of its key. */
@Tag("exact")
class RandomReadsTest {

    private static final int LANES = 2;
    private static final int WRITERS = 5;

    private final TestPostgres postgres = TestPostgres.empty();
    private final PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final List<LogEvent> read = new ArrayList<>();

    private HikariDataSource pool;

    @BeforeEach
    void create() {
        new Migrations(Schema.DEFAULT, LANES).migrate(postgres.dataSource());
        pool = postgres.pool();
    }

    @AfterEach
    void close() {
        pool.close();
    }

    @Test
    void eachCommittedRowIsReadOnceWhateverTheOrder() throws SQLException {
        TestSeed seed = TestSeed.next("random reads");
        Random random = seed.random();
        LaneReader reader = new LaneReader(
                PostgresRelayStores.open(
                                pool, Schema.DEFAULT, Route.named("main").fromBeginning(), "reader")
                        .log(),
                LANES);
        List<Connection> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            writers.add(postgres.transaction());
        }

        for (int step = 0; step < TestSize.of(1_500, 6_000, 60_000); step++) {
            Connection writer = writers.get(random.nextInt(WRITERS));
            int what = random.nextInt(100);
            if (what < 40) {
                insert(writer, random);
            } else if (what < 55) {
                writer.commit();
            } else if (what < 60) {
                writer.rollback();
            } else {
                read.addAll(reader.step(1 + random.nextInt(4)));
            }
        }
        for (Connection writer : writers) {
            writer.commit();
            writer.close();
        }
        read.addAll(reader.drain(3));

        assertThat(read.stream().map(row -> row.event().id()).toList())
                .as("%s", seed)
                .containsExactlyInAnyOrderElementsOf(committed());
        assertThat(disorder()).as("%s", seed).isEmpty();
    }

    /** One to six rows; each writer's key is its own, so its rows have an order. */
    private void insert(Connection writer, Random random) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(6); i++) {
            events.add(Event.of("shop", "changed")
                    .key("writer-" + System.identityHashCode(writer))
                    .build());
        }
        outbox.emit(writer, events);
    }

    private List<UUID> committed() throws SQLException {
        return postgres.rows("SELECT id FROM posthorn.outbox").stream()
                .map(UUID::fromString)
                .toList();
    }

    private List<String> disorder() {
        Map<String, Long> last = new HashMap<>();
        List<String> wrong = new ArrayList<>();
        for (LogEvent row : read) {
            Long before = last.put(row.event().key().orElseThrow(), row.seq());
            if (before != null && before >= row.seq()) {
                wrong.add(row.event() + " with seq " + row.seq() + " after " + before);
            }
        }
        return wrong;
    }
}
