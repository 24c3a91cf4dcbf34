package dev.posthorn.examples.transfers;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.LoggedJvm;
import dev.posthorn.transport.Subscription;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two processes of the transfer service, each with a cache of routes, and the directory that changes them. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class DirectoryTest {

    private static final int ENOUGH = 3;

    @Test
    void aChangedRouteIsForgottenByEveryProcessAndWhatNobodyPublishedIsNot() throws Exception {
        try (Bank bank = Bank.open();
                SnsSqsTransport transport = bank.transport();
                Relay relay = Profile.relay(bank.pool(), transport.publisher(), "test", Profile.ladder())) {
            makeQueue(transport, "cts-1");
            makeQueue(transport, "cts-2");
            try (LoggedJvm one = bank.cts("cts-1");
                    LoggedJvm two = bank.cts("cts-2")) {
                awaitTransfers(bank, one, "cts-1", "submitted.usdc", 0);
                awaitTransfers(bank, two, "cts-2", "submitted.usdc", 0);

                bank.run("INSERT INTO directory.route (payee, rail) VALUES ('0xfeed', 'unpublished')");
                awaitTransfers(bank, one, "cts-1", "submitted.usdc", count(bank, "cts-1", "submitted.usdc"));
                awaitTransfers(bank, two, "cts-2", "submitted.usdc", count(bank, "cts-2", "submitted.usdc"));
                assertThat(count(bank, "cts-1", "submitted.unpublished")
                                + count(bank, "cts-2", "submitted.unpublished"))
                        .as("transfers by a route that only the table knows")
                        .isZero();

                reroute(bank, "sepa");
                relay.wakeUp();
                awaitTransfers(bank, one, "cts-1", "submitted.sepa", 0);
                awaitTransfers(bank, two, "cts-2", "submitted.sepa", 0);
            }
        }
    }

    private static void reroute(Bank bank, String rail) throws SQLException {
        try (Connection connection = bank.pool().getConnection()) {
            connection.setAutoCommit(false);
            bank.directory().reroute(connection, "0xfeed", rail);
            connection.commit();
        }
    }

    /** The processes themselves create nothing. */
    private static void makeQueue(SnsSqsTransport transport, String instance) {
        try (Subscription made = RouteUpdates.subscribe(transport, instance, new RouteCache(payee -> "none"))) {
            Await.until(
                    "the queue of " + instance, () -> made.status().trouble().isEmpty());
        }
    }

    private static void awaitTransfers(Bank bank, LoggedJvm process, String instance, String type, int before) {
        Await.within(
                Duration.ofSeconds(60),
                () -> instance + " to begin " + type + ": " + process,
                () -> count(bank, instance, type) >= before + ENOUGH);
    }

    private static int count(Bank bank, String instance, String type) {
        return Integer.parseInt(bank.one(
                "SELECT count(*) FROM posthorn.outbox WHERE tenant = '" + instance + "' AND type = '" + type + "'"));
    }
}
