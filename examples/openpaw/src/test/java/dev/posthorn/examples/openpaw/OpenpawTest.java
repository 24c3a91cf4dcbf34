package dev.posthorn.examples.openpaw;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.commands.Command;
import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transports.redisstreams.RedisStreamsTransport;
import io.lettuce.core.Range;
import io.lettuce.core.StreamMessage;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the design says, with a real Redis, read with its own client and with SQL. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("exact")
class OpenpawTest {

    private static final AtomicReference<LoopGuard> GUARD = new AtomicReference<>(LoopGuard.BY_ORIGIN);

    private static Scene scene;
    private static RedisStreamsTransport transport;
    private static Services services;
    private static Relay relay;

    private final String asset = "asset-" + UUID.randomUUID();

    @BeforeAll
    static void start() throws SQLException {
        scene = Scene.open();
        transport = scene.transport();
        services = Services.start(
                transport,
                scene.pool(),
                scene.outbox(),
                new SyncWorker(scene.registry(), GUARD::get),
                (service, handler) -> handler);
        relay = scene.relay(transport);
    }

    @AfterAll
    static void stop() {
        if (scene != null) {
            relay.close();
            services.close();
            transport.close();
            scene.close();
        }
    }

    @AfterEach
    void guardAgain() {
        GUARD.set(LoopGuard.BY_ORIGIN);
    }

    private static void await(String what, String sql, String answer) {
        Await.within(
                Duration.ofSeconds(60),
                () -> what + "; so far " + scene.one(sql) + ", " + relay.status(),
                () -> scene.one(sql).equals(answer));
    }

    private String ofAsset(String select) {
        return select + " WHERE asset_id = '" + asset + "'";
    }

    @Test
    void aVersionIsRewardedProjectedAndCopiedOnce() throws SQLException {
        scene.create(Site.NORTH, asset, "ada");
        await(
                "all has arrived",
                ofAsset("SELECT string_agg(type || ' ' || site, ', ' ORDER BY type, site) FROM reputation.arrivals"),
                "asset.version.created north, asset.version.created south, reward.settled north");

        assertThat(scene.one(ofAsset("SELECT string_agg(author || ' ' || amount, ', ') FROM rewards.ledger_entries")))
                .isEqualTo("ada 10.00");
        assertThat(scene.one(ofAsset("SELECT sum(points) FROM reputation.points")))
                .as("one for the version, ten for its reward")
                .isEqualTo("11.00");
        assertThat(scene.one(ofAsset("SELECT string_agg(site || ' ' || version, ', ' ORDER BY site)"
                        + " FROM registry.asset_versions")))
                .isEqualTo("north 1, south 1");
        assertThat(scene.one("SELECT string_agg(l.step_name || ' ' || l.status, ', ' ORDER BY l.id)"
                        + " FROM openpaw.workflow_runs r JOIN openpaw.workflow_step_logs l USING (run_id)"
                        + " WHERE r.correlation_id = 'request-of-" + asset + "'"))
                .isEqualTo("compute done, ledger done, notify done");
        assertThat(scene.one("SELECT string_agg(event_type, ', ' ORDER BY event_type) FROM openpaw.outbox"
                        + " WHERE correlation_id = 'request-of-" + asset + "' AND tenant_id = 'acme'"))
                .as("all that follows from the request")
                .isEqualTo("asset.version.created, asset.version.created, reward.settled, settle-reward");
    }

    @Test
    void everyTypeHasAStreamOfItsOwn() throws SQLException {
        scene.create(Site.SOUTH, asset, "grace");
        await(
                "the reward has arrived",
                ofAsset("SELECT count(*) FROM reputation.arrivals") + " AND type = 'reward.settled'",
                "1");

        for (String type : List.of(Openpaw.VERSION_CREATED, Openpaw.SETTLE_REWARD, Openpaw.REWARD_SETTLED)) {
            List<StreamMessage<String, String>> entries =
                    scene.probe().sync().xrange("openpaw:" + type, Range.unbounded());
            assertThat(entries)
                    .isNotEmpty()
                    .allSatisfy(entry -> assertThat(entry.getBody()).containsEntry("posthorn-type", type));
        }
    }

    @Test
    void whatIsRolledBackIsNeitherWrittenNorTold() throws SQLException {
        try (Connection connection = scene.pool().getConnection()) {
            connection.setAutoCommit(false);
            scene.registry()
                    .createAssetVersion(
                            connection, new AssetRegistry.Draft(Site.NORTH, "acme", "request-0", asset, "ada"));
            connection.rollback();
        }

        assertThat(scene.one(ofAsset("SELECT count(*) FROM registry.asset_versions")))
                .isEqualTo("0");
        assertThat(scene.one("SELECT count(*) FROM openpaw.outbox WHERE payload ->> 'asset_id' = '" + asset + "'"))
                .isEqualTo("0");
    }

    @Test
    void aCommandThatComesTwiceOverTheBusStartsOneRun() throws SQLException {
        Command command = RewardSettlement.commandFor(Event.of(Openpaw.DOMAIN, Openpaw.VERSION_CREATED)
                .key(asset)
                .tenant("acme")
                .correlationId("twice-" + asset)
                .json(new AssetVersion(Site.NORTH, Site.NORTH, asset, 2, "ada").json())
                .build());
        try (Publisher publisher = transport.publisher()) {
            TrackedPublication first = new TrackedPublication(command.event(), 1);
            TrackedPublication again = new TrackedPublication(command.event(), 1);
            publisher.publish(List.of(first));
            publisher.publish(List.of(again));
            await(
                    "it is settled",
                    ofAsset("SELECT count(*) FROM reputation.arrivals") + " AND type = 'reward.settled'",
                    "1");
            Await.until(
                    "both are acknowledged",
                    () -> first.isSettled()
                            && again.isSettled()
                            && scene.pending(Openpaw.SETTLE_REWARD, Services.ORCHESTRATOR) == 0);
        }

        assertThat(scene.probe().sync().xrange("openpaw:settle-reward", Range.unbounded()))
                .filteredOn(
                        entry -> command.id().toString().equals(entry.getBody().get("posthorn-id")))
                .as("it was in the stream twice")
                .hasSize(2);
        assertThat(scene.one("SELECT string_agg(status || ' ' || attempt, ', ') FROM openpaw.workflow_runs"
                        + " WHERE command_id = '" + command.id() + "'"))
                .isEqualTo("done 1");
        assertThat(scene.one(ofAsset("SELECT string_agg(amount::text, ', ') FROM rewards.ledger_entries")))
                .isEqualTo("5.00");
    }

    @Test
    void withoutItsGuardTheSyncWorkerWouldCopyForEverAndWithItTheLoopEnds() throws SQLException {
        String versions = ofAsset("SELECT count(*) FROM registry.asset_versions");
        GUARD.set(LoopGuard.NONE);
        scene.create(Site.NORTH, asset, "ada");
        Await.within(
                Duration.ofSeconds(60),
                () -> "copies of copies; so far " + scene.one(versions),
                () -> Integer.parseInt(scene.one(versions)) >= 20);

        GUARD.set(LoopGuard.BY_ORIGIN);

        // A mark of the worker and the copy it made commit together: there is one more version than marks until it
        // ends.
        await(
                "the last copy goes no further",
                "SELECT (SELECT count(*) FROM registry.asset_versions v WHERE v.asset_id = '" + asset + "')"
                        + " - (SELECT count(*) FROM registry.asset_versions v JOIN openpaw.inbox i ON i.event_id = v.event_id"
                        + " WHERE v.asset_id = '" + asset + "' AND i.handler = 'sync')",
                "0");
    }

    @Test
    void aServiceThatWritesSqlTakesPart() throws SQLException {
        String event = UUID.randomUUID().toString();
        try (Connection connection = scene.pool().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute("INSERT INTO registry.assets (site, id, latest) VALUES ('north', '" + asset + "', 1)");
            statement.execute(
                    "INSERT INTO registry.asset_versions (site, asset_id, version, tenant_id, author, event_id)"
                            + " VALUES ('north', '" + asset + "', 1, 'acme', 'joan', '" + event + "')");
            statement.execute("INSERT INTO openpaw.outbox (event_id, event_type, payload, correlation_id, tenant_id)"
                    + " VALUES ('" + event + "', 'asset.version.created', jsonb_build_object('asset_id', '" + asset
                    + "', 'version', 1, 'author', 'joan'), 'request-sql', 'acme')");
            connection.commit();
        }

        await("it is rewarded", ofAsset("SELECT sum(points) FROM reputation.points"), "11.00");
        await(
                "three handlers have marked it",
                "SELECT string_agg(handler, ', ' ORDER BY handler) FROM openpaw.inbox WHERE event_id = '" + event + "'",
                "reputation, reward-settlement, sync");
        await(
                "it is delivered",
                "SELECT delivered_at >= created_at FROM openpaw.outbox WHERE event_id = '" + event + "'",
                "t");
    }
}
