package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The inbox forgets, and dead letters go, each after its own time. */
class InboxPrunerTest {

    private static final Duration MONTH = Duration.ofDays(30);

    private final DeadFixture dead;

    InboxPrunerTest() throws SQLException {
        dead = new DeadFixture();
    }

    private PostgresInboxPruner.Report prune(InboxRetention retention) {
        return new PostgresInboxPruner(dead.postgres.dataSource(), Schema.DEFAULT, retention).prune();
    }

    private void age(int days) throws SQLException {
        dead.postgres.run("UPDATE posthorn.inbox SET handled_at = handled_at - interval '" + days + " days'");
        dead.postgres.run("UPDATE posthorn.dead_letter SET changed_at = changed_at - interval '" + days + " days'");
    }

    @Test
    void theInboxForgetsAfterItsRetentionButNotWhatIsDead() throws SQLException {
        dead.handle("billing", "bill", UUID.randomUUID());
        dead.die("billing", "bill", dead.event("orders", "placed", "a", "t"), "rejected", "no");
        age(29);
        assertThat(prune(InboxRetention.standard())).isEqualTo(new PostgresInboxPruner.Report(0, 0, 0, 0, 0));
        age(2);

        assertThat(prune(InboxRetention.standard())).isEqualTo(new PostgresInboxPruner.Report(1, 0, 0, 0, 0));
        assertThat(dead.rows("SELECT dead FROM posthorn.inbox")).containsExactly("t");
        assertThat(dead.states()).containsExactly("DEAD|1");
    }

    @Test
    void moreThanAChunkGoes() throws SQLException {
        dead.postgres.run(
                "INSERT INTO posthorn.inbox (event_id, consumer, handler, handled_at) SELECT gen_random_uuid(), 'c',"
                        + " 'h', now() - interval '31 days' FROM generate_series(1, 2500)");

        assertThat(prune(InboxRetention.standard()).marks()).isEqualTo(2_500);
    }

    @Test
    void lettersGoByTheRetentionOfTheirDomainWithTheirMarks() throws SQLException {
        dead.die("billing", "bill", dead.event("orders", "placed", "a", "t"), "rejected", "no");
        dead.die("billing", "bill", dead.event("parcels", "lost", "b", "t"), "rejected", "no");
        dead.die("billing", "bill", dead.event("audit", "seen", "c", "t"), "rejected", "no");
        age(10);

        long gone = prune(new InboxRetention(
                        MONTH,
                        Optional.of(Duration.ofDays(5)),
                        Map.of("orders", Duration.ofDays(7), "audit", Duration.ofDays(90))))
                .letters();

        assertThat(gone).isEqualTo(2);
        assertThat(dead.rows("SELECT domain FROM posthorn.dead_letter")).containsExactly("audit");
        assertThat(dead.rows("SELECT count(*) FROM posthorn.inbox")).containsExactly("1");
    }

    @Test
    void whatIsDoneWithGoesWithTheInboxAndWhatIsRedrivenStays() throws SQLException {
        dead.die(3);
        dead.postgres.run("UPDATE posthorn.dead_letter SET state = (ARRAY['HANDLED', 'DISCARDED', 'REDRIVE'])[seq]");
        age(31);

        assertThat(prune(new InboxRetention(MONTH, Optional.of(MONTH), Map.of()))
                        .letters())
                .isEqualTo(2);
        assertThat(dead.states()).containsExactly("REDRIVE|1");
    }

    private static String advance(String key, int sequence) {
        return "SELECT posthorn.advance_position('billing', 'bill', '" + key + "', " + sequence + ", false)";
    }

    @Test
    void aPositionGoesWhenItHasNotMovedForLongAndItsKeyBeginsAnew() throws SQLException {
        assertThat(dead.rows(advance("quiet", 7))).containsExactly("");
        assertThat(dead.rows(advance("busy", 7))).containsExactly("");
        dead.postgres.run("UPDATE posthorn.position SET moved_at = moved_at - interval '399 days',"
                + " moved_on = moved_on - 399");
        assertThat(prune(InboxRetention.standard()).positions()).isZero();
        dead.postgres.run(
                "UPDATE posthorn.position SET moved_at = moved_at - interval '2 days', moved_on = moved_on - 2");
        assertThat(dead.rows(advance("busy", 8))).containsExactly("");

        assertThat(prune(InboxRetention.standard()).positions()).isEqualTo(1);

        assertThat(dead.rows("SELECT key, sequence FROM posthorn.position")).containsExactly("busy|8");
        assertThat(dead.rows(advance("busy", 3))).as("behind what is known").containsExactly("8");
        assertThat(dead.rows(advance("quiet", 3))).as("new").containsExactly("");
    }

    @Test
    void aPositionThatAHandlerIsMovingStaysAndMoreThanAChunkGoes() throws SQLException {
        dead.postgres.run("INSERT INTO posthorn.position (consumer, handler, key, sequence, moved_at, moved_on)"
                + " SELECT 'billing', 'bill', 'key-' || n, 1, now() - interval '401 days', current_date - 401"
                + " FROM generate_series(1, 2500) AS n");
        try (Connection handler = dead.postgres.transaction()) {
            TestPostgres.rows(handler, advance("key-17", 2));

            assertThat(prune(InboxRetention.standard()).positions()).isEqualTo(2_499);
            handler.commit();
        }
        assertThat(dead.rows("SELECT key, sequence FROM posthorn.position")).containsExactly("key-17|2");
    }

    @Test
    void anInboxThatForgetsTooEarlyIsWarnedAbout() {
        Duration week = Duration.ofDays(7);
        assertThat(InboxRetention.standard().warnings(MONTH, Duration.ZERO)).isEmpty();
        assertThat(InboxRetention.standard().warnings(MONTH, week))
                .singleElement()
                .asString()
                .contains("720 h in the log", "168 h at the broker", "the retention of the inbox 888 h or longer");
        assertThat(new InboxRetention(MONTH, Optional.of(week), Map.of("orders", Duration.ofDays(1)))
                        .warnings(Duration.ofDays(20), week))
                .singleElement()
                .asString()
                .contains("after 816 h", "168 h as a dead letter");
        assertThat(new InboxRetention(MONTH, Optional.empty(), Map.of("orders", Duration.ofDays(90)))
                        .warnings(week, week))
                .singleElement()
                .asString()
                .contains("domain orders");
    }
}
