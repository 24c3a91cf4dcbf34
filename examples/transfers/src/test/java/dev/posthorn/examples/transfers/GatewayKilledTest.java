package dev.posthorn.examples.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.LoggedJvm;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A gateway process is killed with -9 between any two steps of its call to the rail, again and again. Locks on tables hold it
 * where it shall die, and its sessions are ended before the locks are, so that nothing of it happens afterwards.
 */
@Tag("slow")
@Timeout(value = 600, unit = TimeUnit.SECONDS)
@Tag("exact")
class GatewayKilledTest {

    private static final int TRANSFERS_A_ROUND = 5;

    private enum Death {
        BEFORE_THE_CLAIM,
        BEFORE_THE_CALL_ARRIVES,
        BEFORE_THE_ANSWER_IS_KEPT,
        BEFORE_THE_EFFECTS_ARE_KEPT
    }

    @Test
    void theRailMakesOnePaymentForEachKeyAndEachTransferIsToldOnce() throws Exception {
        int times = System.getProperty("posthorn.size", "normal").equals("soak") ? 12 : 2;
        int transfers = 0;
        try (Bank bank = Bank.open();
                SnsSqsTransport transport = bank.transport();
                Relay relay = Profile.relay(
                        bank.pool(), transport.publisher(), "test", RetryPolicy.fixed(10, Duration.ofSeconds(1)))) {
            bank.makeQueue(transport);
            for (int time = 0; time < times; time++) {
                for (Death death : Death.values()) {
                    for (int i = 0; i < TRANSFERS_A_ROUND; i++) {
                        bank.submit();
                        transfers++;
                    }
                    relay.wakeUp();
                    killAt(death, bank);
                }
            }
            String all = Integer.toString(transfers);
            try (LoggedJvm last = bank.gateway()) {
                Await.within(
                        Duration.ofMinutes(3),
                        () -> "all submissions; so far " + bank.one("SELECT count(*) FROM gateway.submission") + last,
                        () -> bank.one("SELECT count(DISTINCT transfer_id) FROM gateway.submission")
                                .equals(all));
            }

            assertThat(bank.one("SELECT count(*) FROM gateway.submission")).isEqualTo(all);
            assertThat(bank.one("SELECT count(*) || ' ' || count(DISTINCT transfer_id) FROM rail.payment"))
                    .as("payments, and transfers that were paid")
                    .isEqualTo(all + " " + all);
            assertThat(
                            bank.one(
                                    "SELECT count(*) || ' ' || count(DISTINCT key) FROM posthorn.outbox WHERE type = 'settled'"))
                    .as("events, and transfers that were told of")
                    .isEqualTo(all + " " + all);
            int calls = Integer.parseInt(bank.one("SELECT sum(calls) FROM rail.payment"));
            assertThat(calls)
                    .as("calls, at least one again for each answer that was not kept")
                    .isGreaterThanOrEqualTo(transfers + times);
            System.out.printf(
                    "gateway killed %d times: %d transfers, %d calls of the rail, %d payments%n",
                    times * Death.values().length, transfers, calls, transfers);
        }
    }

    private static void killAt(Death death, Bank bank) throws Exception {
        try (Connection one = bank.locker();
                Connection other = bank.locker()) {
            switch (death) {
                case BEFORE_THE_CLAIM -> lock(one, "posthorn.outside_call");
                case BEFORE_THE_CALL_ARRIVES, BEFORE_THE_ANSWER_IS_KEPT -> lock(one, "rail.payment");
                case BEFORE_THE_EFFECTS_ARE_KEPT -> lock(one, "gateway.submission");
            }
            try (LoggedJvm gateway = bank.gateway()) {
                Await.within(Duration.ofMinutes(1), () -> death + ": it waits " + gateway, bank::gatewayWaits);
                if (death == Death.BEFORE_THE_ANSWER_IS_KEPT) {
                    lock(other, "posthorn.outside_call");
                    String before = bank.one("SELECT count(*) FROM rail.payment");
                    one.rollback();
                    Await.within(
                            Duration.ofMinutes(1),
                            () -> "a payment whose answer is not kept " + gateway,
                            () -> bank.gatewayWaits()
                                    && !bank.one("SELECT count(*) FROM rail.payment")
                                            .equals(before));
                }
                gateway.kill();
            }
            bank.endSessionsOfTheGateway();
        }
    }

    private static void lock(Connection connection, String table) throws SQLException {
        connection.setAutoCommit(false);
        try (Statement statement = connection.createStatement()) {
            statement.execute("LOCK TABLE " + table + " IN EXCLUSIVE MODE");
        }
    }
}
