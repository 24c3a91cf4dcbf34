package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.Route;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.RetryPolicy;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What event_outbox says of events while a relay is at work. */
class SeedViewsStatusTest {

    private static final String GROUP = "11111111-1111-1111-1111-111111111111";

    private final RelayHarness harness = new RelayHarness();

    @BeforeEach
    void createViews() {
        SeedViews.holdco(Schema.DEFAULT, new Schema("holdco")).create(harness.postgres.dataSource());
    }

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void anEventIsPendingThenPublished() throws SQLException {
        insert("created");
        assertThat(look("created")).isEqualTo("pending|0");

        harness.startRelay("r1", RecordingTransport.accepting().publisher());

        Await.until("it is published", () -> look("created").equals("published|0"));
    }

    @Test
    void oneThatIsTriedAgainIsFailedWithAttemptsAndTheTimeOfTheNext() throws SQLException {
        AtomicBoolean broken = new AtomicBoolean(true);
        harness.policy = harness.policy.withRetry(RetryPolicy.fixed(1_000, Duration.ofMillis(200)));
        harness.startRelay(
                "r1",
                RecordingTransport.answering(
                                (event, attempt) -> broken.get() ? Outcome.failed("not now") : Outcome.accepted())
                        .publisher());

        insert("created");

        Await.until("it has failed", () -> look("created").matches("failed\\|[1-9][0-9]*"));
        assertThat(harness.rows("SELECT available_at > created_at FROM holdco.event_outbox"))
                .containsExactly("t");
        broken.set(false);
        Await.until(
                "it is published, and its attempts are kept",
                () -> look("created").matches("published\\|[1-9][0-9]*"));
    }

    @Test
    void oneThatIsGivenUpIsDead() throws SQLException {
        harness.startRelay(
                "r1",
                RecordingTransport.answering((event, attempt) -> Outcome.refused("never"))
                        .publisher());

        insert("created");

        Await.until("it is dead", () -> look("created").startsWith("dead|"));
    }

    @Test
    void aRouteThatIsRetiredIsNotWaitedFor() throws SQLException {
        new PostgresRoutes(harness.pool, Schema.DEFAULT)
                .create(Route.named("old").fromBeginning());
        harness.startRelay("r1", RecordingTransport.accepting().publisher());
        insert("created");
        Await.until(
                "the relay has sent it",
                () -> harness.rows("SELECT state FROM posthorn.outbox_status WHERE route = 'main'")
                        .contains("SENT"));
        assertThat(look("created")).isEqualTo("pending|0");

        new PostgresRoutes(harness.pool, Schema.DEFAULT).retire("old", "moved");

        assertThat(look("created")).isEqualTo("published|0");
    }

    private void insert(String type) throws SQLException {
        harness.postgres.run(
                "INSERT INTO holdco.event_outbox (group_id, aggregate_type, aggregate_id, event_type, payload)"
                        + " VALUES ('" + GROUP + "', 'order', gen_random_uuid(), '" + type + "', '{}')");
    }

    private String look(String type) {
        return harness.rows("SELECT status, attempts FROM holdco.event_outbox WHERE event_type = '" + type + "'")
                .get(0);
    }
}
