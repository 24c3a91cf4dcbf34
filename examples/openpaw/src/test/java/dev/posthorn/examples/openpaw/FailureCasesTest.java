package dev.posthorn.examples.openpaw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Forwarder;
import dev.posthorn.testkit.LoggedJvm;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The three failure cases that the design says are covered, each with a process that is killed with -9 where it hurts. Locks hold
 * it there, and its sessions are ended before the locks are, so that nothing of it happens afterwards.
 */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("exact")
class FailureCasesTest {

    private static final Duration PATIENCE = Duration.ofMinutes(1);
    private static final int EVENTS = 3;
    private static final String ALL = Integer.toString(EVENTS);

    private Scene scene;

    @BeforeEach
    void open() throws SQLException {
        scene = Scene.open();
    }

    @AfterEach
    void close() {
        if (scene != null) {
            scene.close();
        }
    }

    private static void execute(Connection connection, String sql) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    @Test
    void aCrashAfterTheBusinessWriteAndBeforeThePublishLosesNothing() throws Exception {
        try (RedisStreamsTransport transport = scene.transport()) {
            scene.relay(transport).close(); // so that the route and its leases are there
            try (Connection locker = scene.locker()) {
                execute(locker, "SELECT FROM posthorn.lease FOR UPDATE"); // its relay runs, and gets no lane
                try (LoggedJvm registry = scene.process("registry", scene.redisPort(), "registry", ALL)) {
                    Await.within(
                            PATIENCE,
                            () -> "it has written: " + registry,
                            () -> registry.said().contains("written " + EVENTS));
                    registry.kill();
                }
                scene.endSessionsOf("registry");
            }
            assertThat(scene.one("SELECT count(*) FROM registry.asset_versions"))
                    .as("the business is committed")
                    .isEqualTo(ALL);
            assertThat(scene.lengthOf(Openpaw.VERSION_CREATED))
                    .as("and nothing is published")
                    .isZero();
            assertThat(scene.one("SELECT count(*) FROM openpaw.outbox WHERE delivered_at IS NULL"))
                    .isEqualTo(ALL);

            try (Relay relay = scene.relay(transport)) {
                Await.within(
                        PATIENCE,
                        () -> "all are delivered: " + relay.status(),
                        () -> scene.one("SELECT count(*) FROM openpaw.outbox WHERE delivered_at IS NOT NULL")
                                .equals(ALL));
            }
            assertThat(scene.lengthOf(Openpaw.VERSION_CREATED)).isEqualTo(EVENTS);
        }
    }

    @Test
    void aCrashAfterTheEffectAndBeforeTheAcknowledgementIsRecognised() throws Exception {
        try (RedisStreamsTransport transport = scene.transport();
                Relay relay = scene.relay(transport)) {
            for (int i = 0; i < EVENTS; i++) {
                scene.create(Site.NORTH, "asset-" + i, "ada");
            }
            relay.wakeUp();
            killAfterTheEffects();
            assertThat(scene.one("SELECT count(*) FROM reputation.arrivals"))
                    .as("every effect is committed")
                    .isEqualTo(ALL);
            assertThat(scene.pending(Openpaw.VERSION_CREATED, "reputation"))
                    .as("and no event is acknowledged")
                    .isEqualTo(EVENTS);

            try (Consumer<Connection> next =
                    Services.consumer(transport, Service.REPUTATION, scene.pool(), Reputation.handler())) {
                Await.within(
                        PATIENCE,
                        () -> "all come again: " + next.report(),
                        () -> scene.pending(Openpaw.VERSION_CREATED, "reputation") == 0);
                Await.untilCounted(EVENTS, () -> next.report().totals().skipped());
                assertThat(next.report().totals().handled()).isZero();
            }
            assertThat(scene.one("SELECT count(*) || ' ' || count(DISTINCT event_id) FROM reputation.arrivals"))
                    .isEqualTo(ALL + " " + ALL);
            assertThat(scene.one("SELECT sum(points) FROM reputation.points")).isEqualTo(ALL + ".00");
        }
    }

    /** Shows that it is the inbox that recognises them, and what the design's second line of defence is worth. */
    @Test
    void withoutItsMarksTheEffectWouldHappenAgainAndOnlyTheIdempotentPartWouldNot() throws Exception {
        try (RedisStreamsTransport transport = scene.transport();
                Relay relay = scene.relay(transport)) {
            for (int i = 0; i < EVENTS; i++) {
                scene.create(Site.NORTH, "asset-" + i, "ada");
            }
            relay.wakeUp();
            killAfterTheEffects();
            scene.run("DELETE FROM posthorn.inbox");

            try (Consumer<Connection> next =
                    Services.consumer(transport, Service.REPUTATION, scene.pool(), Reputation.handler())) {
                Await.within(
                        PATIENCE,
                        () -> "all come again: " + next.report(),
                        () -> scene.pending(Openpaw.VERSION_CREATED, "reputation") == 0);
            }
            assertThat(scene.one("SELECT count(*) || ' ' || count(DISTINCT event_id) FROM reputation.arrivals"))
                    .isEqualTo(2 * EVENTS + " " + EVENTS);
            assertThat(scene.one("SELECT sum(points) FROM reputation.points")).isEqualTo(ALL + ".00");
        }
    }

    /** The effects wait for a lock until nothing gets through to Redis any more; then they may happen. */
    private void killAfterTheEffects() throws Exception {
        try (Forwarder way = Forwarder.to(scene.redisPort());
                Connection locker = scene.locker()) {
            execute(locker, "LOCK TABLE reputation.arrivals IN EXCLUSIVE MODE");
            try (LoggedJvm consumer = scene.process("reputation", way.port(), "reputation")) {
                Await.within(
                        PATIENCE, () -> "all effects wait: " + consumer, () -> scene.waiting("reputation") == EVENTS);
                way.lose();
                locker.rollback();
                Await.within(
                        PATIENCE,
                        () -> "all effects happen: " + consumer,
                        () -> scene.one("SELECT count(*) FROM reputation.arrivals")
                                .equals(ALL));
                consumer.kill();
            }
            scene.endSessionsOf("reputation");
        }
    }

    @Test
    void anApiThatSendsTheSameCommandTwiceStartsOneWorkflow() throws Exception {
        String created = UUID.randomUUID().toString();
        try (LoggedJvm one = scene.process("settle-1", scene.redisPort(), "settle", created);
                LoggedJvm other = scene.process("settle-2", scene.redisPort(), "settle", created);
                Connection locker = scene.locker()) {
            execute(locker, "LOCK TABLE rewards.ledger_entries IN EXCLUSIVE MODE");
            Await.within(
                    PATIENCE,
                    () -> "one of them is in the second step: " + one + other,
                    () -> scene.waiting("settle-1") + scene.waiting("settle-2") == 1);
            boolean first = scene.waiting("settle-1") == 1;
            LoggedJvm survivor = first ? other : one;
            Await.within(
                    PATIENCE,
                    () -> "the other is told that it runs: " + survivor,
                    () -> survivor.said().contains("Running[run="));
            (first ? one : other).kill();
            scene.endSessionsOf(first ? "settle-1" : "settle-2");
            locker.rollback();

            Await.within(PATIENCE, () -> "the other gets it done: " + survivor, () -> !survivor.isAlive());
            assertThat(survivor.said()).contains("Done[run=");
        }

        assertThat(
                        scene.one(
                                "SELECT string_agg(status || ' ' || attempt || ' ' || result, ', ') FROM openpaw.workflow_runs"))
                .as("one run, in two attempts")
                .isEqualTo("done 2 10.00");
        assertThat(scene.one("SELECT string_agg(step_name || ' ' || status || ' ' || attempt, ', ' ORDER BY id)"
                        + " FROM openpaw.workflow_step_logs"))
                .isEqualTo("compute done 1, ledger lost 1, ledger done 2, notify done 2");
        assertThat(scene.one("SELECT count(*) FROM rewards.ledger_entries")).isEqualTo("1");
        assertThat(scene.one("SELECT count(*) FROM openpaw.outbox WHERE event_type = 'reward.settled'"))
                .isEqualTo("1");
    }
}
