package dev.posthorn.examples.licenses;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.UnitOfWork;
import dev.posthorn.inbox.Units;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.LoggedJvm;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The two crashes of a worker that the design's "at most once" is about. With SET NX before the effect the first loses the notice
 * for good; here it does not. The second repeats it, and no mark in Redis can prevent that.
 */
@Tag("slow")
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class CrashTest {

    private static final Variables VARIABLES = Variables.of(Map.of());
    private static final PostgresLock LOCK = new PostgresLock();

    private static Market market;

    @BeforeAll
    static void start() throws SQLException {
        market = Market.open();
    }

    @AfterAll
    static void stop() {
        if (market != null) {
            market.close();
        }
    }

    private static String notices(UUID event) {
        return market.one("SELECT count(*) FROM compliance.notifications WHERE event_id = '" + event + "'");
    }

    /** A lock on the table of notices holds the worker where it shall die: its claim is in Redis, its effect is not there. */
    @Test
    void aWorkerThatIsKilledBetweenClaimAndEffectLosesNothing() throws Exception {
        try (GooglePubSubTransport transport = market.transport(VARIABLES);
                Relay relay = DomainTopic.relay(market.pool(), transport.publisher(), "relay", VARIABLES)) {
            UUID event;
            try (Connection lock = market.connect();
                    LoggedJvm doomed = LoggedJvm.start(WorkerMain.class, market.environment(Map.of()))) {
                LOCK.take(lock);
                Await.within(
                        Duration.ofMinutes(1),
                        () -> "it reads " + doomed,
                        () -> doomed.said().contains("compliance reads pf-domain-events-compliance"));
                event = market.commit(in -> market.licenses().upload(in, "lic_1", "store-1"));
                relay.wakeUp();
                Await.within(
                        Duration.ofMinutes(1),
                        () -> "it is claimed, and waits " + doomed,
                        () -> String.valueOf(market.keys().get(Market.key(event)))
                                        .startsWith("processing:")
                                && LOCK.isWaitedFor());
                doomed.kill();
                LOCK.endWorkers();
            }
            assertThat(notices(event)).isEqualTo("0");

            try (LoggedJvm next = LoggedJvm.start(WorkerMain.class, market.environment(Map.of()))) {
                Await.within(
                        Duration.ofMinutes(2),
                        () -> "the notice " + next,
                        () -> "done".equals(market.keys().get(Market.key(event))));
            }
            assertThat(notices(event)).isEqualTo("1");
        }
    }

    @Test
    void aCrashBetweenEffectAndMarkRepeatsTheEffect() throws Exception {
        RedisInboxConfig marks = market.marks(VARIABLES)
                .timing(RedisInboxConfig.Timing.STANDARD
                        .answer(Duration.ofMillis(900))
                        .lease(Duration.ofSeconds(1)));
        PostgresInbox transactions = new PostgresInbox(market.pool(), Schema.DEFAULT);
        Event event = Event.of(Licenses.DOMAIN, LicenseStatusChanged.TYPE)
                .aggregate(Licenses.AGGREGATE_TYPE, "lic_2")
                .payload(new LicenseStatusChanged("lic_2", "store-1", LicenseStatus.PENDING, null), EventTypes.JSON)
                .build();

        RedisInbox<Connection> crashed = RedisInbox.around(marks, new Dying(transactions));
        assertThatThrownBy(() -> handle(crashed, event)).isInstanceOf(Crash.class);
        crashed.close();
        boolean again;
        try (RedisInbox<Connection> next = RedisInbox.around(marks, transactions)) {
            again = handle(next, event);
            assertThat(handle(next, event)).as("it is marked now").isFalse();
        }

        assertThat(again).isTrue();
        assertThat(notices(event.id())).isEqualTo("2");
    }

    private static boolean handle(RedisInbox<Connection> inbox, Event event) throws Exception {
        return inbox.once(Worker.CONSUMER, event.id(), connection -> {
            var unused = Compliance.handler().handle(event, connection);
        });
    }

    /** Stands for the end of the process. */
    private static final class Crash extends Error {
        private static final long serialVersionUID = 1;
    }

    /** Effects are kept, and then the process is no more. */
    private record Dying(PostgresInbox transactions) implements Units<Connection> {

        @Override
        public UnitOfWork<Connection> begin() {
            UnitOfWork<Connection> unit = transactions.begin();
            return new UnitOfWork<>() {
                @Override
                public Connection transaction() {
                    return unit.transaction();
                }

                @Override
                public void commit() {
                    unit.commit();
                    throw new Crash();
                }

                @Override
                public void cancel() {
                    unit.cancel();
                }

                @Override
                public void close() {
                    unit.close();
                }
            };
        }

        @Override
        public Trouble troubleOf(Throwable failure) {
            return transactions.troubleOf(failure);
        }
    }

    /** Keeps workers from writing notices. */
    private static final class PostgresLock {

        void take(Connection connection) throws SQLException {
            connection.setAutoCommit(false);
            try (Statement statement = connection.createStatement()) {
                statement.execute("LOCK TABLE compliance.notifications IN EXCLUSIVE MODE");
            }
        }

        boolean isWaitedFor() {
            return market.one("SELECT count(*) FROM pg_stat_activity WHERE application_name = 'worker'"
                            + " AND wait_event_type = 'Lock'")
                    .equals("1");
        }

        /** A backend that waits for a lock does not notice that its client is dead. */
        void endWorkers() {
            Await.until(
                    "the worker's sessions to end",
                    () -> market.one("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                                    + " WHERE application_name = 'worker'")
                            .equals("0"));
        }
    }
}
