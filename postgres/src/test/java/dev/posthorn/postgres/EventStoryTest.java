package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresEventStory.Happening;
import dev.posthorn.postgres.StatusFixture.Row;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The story of an event is told in an order that could have been. */
class EventStoryTest {

    private StatusFixture log;

    @BeforeEach
    void aRoute() throws SQLException {
        log = new StatusFixture();
        log.checkpoint(0);
    }

    @Test
    void whatIsRecordedAsPublishedAfterItWasHandledStandsBefore() throws SQLException {
        Row row = log.emit();
        handled(row);

        checkpoint();

        List<Happening> story = story(row);
        assertThat(story).extracting(Happening::what).containsExactly("emitted", "published", "handled");
        assertThat(story.get(1).at()).isAfter(story.get(2).at());
        assertThat(story.get(1).detail()).contains("by this time, when a checkpoint recorded it");
    }

    @Test
    void aRouteThatPublishedItLaterStandsAfterThat() throws SQLException {
        log.postgres.run("INSERT INTO posthorn.route (name) VALUES ('slow')");
        Row row = log.emit();
        checkpoint();
        handled(row);

        log.postgres.run(
                "WITH f AS (INSERT INTO posthorn.flush (relay, snapshots) VALUES ('', ARRAY[pg_current_snapshot()])"
                        + " RETURNING id) INSERT INTO posthorn.checkpoint (route, lane, snapshot, n, flush, position)"
                        + " SELECT r.id, o.lane, 1, 1, f.id, o.seq FROM f, posthorn.route r, posthorn.outbox o WHERE r.name = 'slow'");

        assertThat(story(row))
                .extracting(one ->
                        one.what() + one.place().map(place -> " " + place).orElse(""))
                .containsExactly(
                        "emitted", "published route orders", "handled consumer billing", "published route slow");
    }

    @Test
    void theRelayThatPublishedItIsNamed() throws SQLException {
        Row row = log.emit();
        checkpoint();
        log.postgres.run("UPDATE posthorn.flush SET relay = 'relay-7'");

        assertThat(story(row).get(1).who()).contains("relay relay-7");
    }

    @Test
    void whereTheLaneHadPassedItBeforeItIsSaidThatNobodyKnowsRelayAndTime() throws SQLException {
        Row row = log.emit();
        checkpoint();
        log.postgres.run("UPDATE posthorn.flush SET relay = 'relay-7'");
        log.postgres.run("INSERT INTO posthorn.attempt (route, relay, seq, event_id, attempt, outcome, error)"
                + " SELECT 1, 'relay-8', seq, id, 1, 'FAILED', 'not now' FROM posthorn.outbox");

        Happening published = story(row).get(2);

        assertThat(published.what()).isEqualTo("published");
        assertThat(published.who()).isEmpty();
        assertThat(published.detail())
                .contains("after this failed attempt; the exact time and the relay were not recorded");
    }

    /** One that is written now. */
    private void checkpoint() throws SQLException {
        log.checkpoint(1);
        log.postgres.run("UPDATE posthorn.flush SET at = clock_timestamp()"
                + " WHERE id = (SELECT c.flush FROM posthorn.checkpoint c WHERE c.n = 1 AND c.route = 1)");
    }

    private void handled(Row row) throws SQLException {
        log.postgres.run("INSERT INTO posthorn.inbox (event_id, consumer, handler) VALUES ('" + row.id()
                + "', 'billing', 'bill')");
    }

    private List<Happening> story(Row row) {
        return new PostgresEventStory(log.postgres.dataSource(), Schema.DEFAULT)
                .of(row.id())
                .happenings();
    }
}
