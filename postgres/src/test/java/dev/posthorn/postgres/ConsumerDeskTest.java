package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresConsumerDesk.ConsumerStatus;
import dev.posthorn.postgres.PostgresConsumerDesk.MemberStatus;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;

/** What an operator sees of consumers, and does to them. */
class ConsumerDeskTest {

    private final DeadFixture dead;
    private final PostgresConsumerDesk desk;

    ConsumerDeskTest() throws SQLException {
        dead = new DeadFixture();
        desk = new PostgresConsumerDesk(dead.postgres.dataSource(), Schema.DEFAULT);
        dead.postgres.run("SELECT posthorn.report_consumer(ROW('billing', 'one', NULL, NULL, 7, 1, 2, 3, 4.5, 9, 2.5,"
                + " 'the ledger is slow')::posthorn.consumer_member)");
        dead.postgres.run("SELECT posthorn.report_consumer(ROW('billing', 'two', NULL, NULL, 0, 0, 0, 0, 0, 0, 0,"
                + " NULL)::posthorn.consumer_member)");
        dead.postgres.run(
                "UPDATE posthorn.consumer_member SET seen_at = seen_at - interval '31 s' WHERE member = 'two'");
    }

    @Test
    void membersAreShownByTheirOwnWordAndSilentOnesAsGone() throws SQLException {
        dead.die(2);

        ConsumerStatus billing = desk.list().get(0);

        assertThat(billing.name()).isEqualTo("billing");
        assertThat(billing.letters()).isEqualTo(2);
        assertThat(billing.pausedAt()).isEmpty();
        MemberStatus one = billing.members().get(0);
        assertThat(one.totals()).isEqualTo(new PostgresConsumerDesk.Totals(7, 1, 2, 3));
        assertThat(one.lag().p50().toNanos()).isEqualTo(4_500_000);
        assertThat(one.trouble()).contains("the ledger is slow");
        assertThat(billing.members()).extracting(MemberStatus::isGone).containsExactly(false, true);
    }

    @Test
    void aConsumerIsPausedAndResumedOnce() {
        assertThat(desk.pause("billing", "moving")).isTrue();
        assertThat(desk.pause("billing", "moving")).isFalse();
        assertThat(desk.list().get(0).pausedAt()).isPresent();
        assertThat(desk.resume("billing", null)).isTrue();
        assertThat(desk.resume("billing", null)).isFalse();
        assertThatThrownBy(() -> desk.pause("nobody", null))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("no consumer \"nobody\"");
    }
}
