package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.PostgresRelayStores;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

/**
 * A relay's pooled sessions on a server that is not the primary, or not any more. They answer, so no pool notices; new
 * connections go where the test says, as after a change of a DNS name or of a proxy.
 */
@Tag("slow")
@Tag("exact")
class LeftBehindSessionsTest {

    private static final Duration LEASE = Duration.ofSeconds(1);

    private final Shop shop = new Shop("sessions", InstalledPostgres.builder());
    private final EmbeddedPostgres primary = shop.postgres();
    private final EmbeddedPostgres standby = shop.startStandby(InstalledPostgres.builder());
    private final RecordingTransport transport = RecordingTransport.accepting();
    private final MovingDataSource address = new MovingDataSource(primary.jdbcUrl("shop"));
    private final HikariDataSource pool = pool(address);

    @BeforeEach
    void createRoute() {
        open();
        awaitReplayed();
    }

    @AfterEach
    void close() {
        pool.close();
        shop.close();
    }

    @Test
    void onAStandbyNothingIsReadOrPublishedAndTheRelaySaysWhy() throws SQLException {
        List<UUID> ids = emit(primary, 20);
        awaitReplayed();
        address.moveTo(standby.jdbcUrl("shop"));
        pool.getHikariPoolMXBean().softEvictConnections();

        try (Relay relay = start()) {
            Await.until("it says why", () -> relay.status().outage().isPresent());
            assertThat(relay.status().outage().orElseThrow()).contains("standby", "targetServerType=primary");
            assertThat(relay.status().lanes()).isEmpty();
            assertThat(transport.calls()).isEmpty();
            assertThatThrownBy(this::emitOnStandby)
                    .isInstanceOf(EmitFailedException.class)
                    .hasMessageContaining("on one to the primary");
            int sessions = address.connections();
            Await.until("sessions there are ended again and again", () -> address.connections() > sessions + 2);
            assertThat(transport.calls()).isEmpty();

            primary.kill();
            standby.promote();

            awaitPublished(ids);
            Await.until("all is well", () -> relay.status().outage().isEmpty());
        }
        assertThat(transport.calls()).hasSize(20);
    }

    @Test
    void aServerThatWasMadeReadOnlyIsLeftForTheNewPrimaryAndNothingIsCharged() throws SQLException {
        try (Relay relay = start()) {
            awaitPublished(emit(primary, 20));
            // Before the flush: what can not be checkpointed must not be published again and again.
            Shop.run(primary, "ALTER SYSTEM SET default_transaction_read_only = on");
            Shop.run(primary, "SELECT pg_reload_conf()");
            awaitReplayed();
            standby.promote();
            address.moveTo(standby.jdbcUrl("shop"));

            List<UUID> ids = emit(standby, 20);

            awaitPublished(ids);
            Await.until("all is well", () -> relay.status().outage().isEmpty());
            assertThat(Shop.rows(standby.jdbcUrl("shop"), "SELECT outcome FROM posthorn.attempt"))
                    .isEmpty();
        }
        assertThat(transport.calls().size())
                .as("40 events, of which the first 20 may come twice")
                .isLessThanOrEqualTo(60);
    }

    @Test
    void aSessionThatIsLeftOnTheOldPrimaryEndsOnceOthersHaveSeenTheNewOne() throws SQLException {
        try (Relay relay = start()) {
            awaitPublished(emit(primary, 20));
            awaitReplayed();
            standby.promote();
            address.moveTo(standby.jdbcUrl("shop"));
            // The old one is not fenced: it still takes writes, which nobody will see.
            awaitPublished(emit(primary, 20));
            try (Connection left = pooledSessionOnThePrimary()) {
                endOtherSessions(primary, left);
                awaitPublished(emit(standby, 20));
            }
            List<UUID> ids = emit(standby, 20);

            endOtherSessions(standby, null);

            awaitPublished(ids);
            Await.until(
                    "the session that was left has ended",
                    () -> sessionsOn(primary).isEmpty());
            Await.until("all is well", () -> relay.status().outage().isEmpty());
            Await.until(
                    "its lanes are leased on the new primary",
                    () -> Shop.rows(
                                            standby.jdbcUrl("shop"),
                                            "SELECT lane FROM posthorn.lease WHERE expires_at > clock_timestamp()")
                                    .size()
                            == Shop.LANES);
        }
        assertThat(transport.calls().size())
                .as("each of 80 once; what was in flight at the changes perhaps twice")
                .isLessThanOrEqualTo(140);
    }

    /** Kept from the relay, which has to look for others meanwhile. */
    private Connection pooledSessionOnThePrimary() throws SQLException {
        List<Connection> others = new ArrayList<>();
        try {
            while (true) {
                Connection session = pool.getConnection();
                if (session.getMetaData().getURL().contains(":" + primary.port() + "/")) {
                    return session;
                }
                others.add(session);
            }
        } finally {
            for (Connection other : others) {
                other.close();
            }
        }
    }

    private static void endOtherSessions(EmbeddedPostgres server, @Nullable Connection but) throws SQLException {
        int kept = but == null ? 0 : but.unwrap(PGConnection.class).getBackendPID();
        for (String pid : sessionsOn(server)) {
            if (!pid.equals(String.valueOf(kept))) {
                Shop.run(server, "SELECT pg_terminate_backend(" + pid + ")");
            }
        }
    }

    /** The process ids of the relay's. */
    private static List<String> sessionsOn(EmbeddedPostgres server) {
        return Shop.rows(server.jdbcUrl("shop"), "SELECT pid FROM pg_stat_activity WHERE application_name = 'relay'");
    }

    private static HikariDataSource pool(MovingDataSource address) {
        HikariConfig hikari = new HikariConfig();
        hikari.setDataSource(address);
        hikari.setMaximumPoolSize(6);
        hikari.setMinimumIdle(0);
        hikari.setConnectionTimeout(1_000);
        return new HikariDataSource(hikari);
    }

    private Relay.Stores open() {
        return PostgresRelayStores.open(
                pool, Schema.DEFAULT, Route.named("main").fromBeginning(), "r");
    }

    private Relay start() {
        RelayConfig config = RelayConfig.standard()
                .withLeaseTtl(LEASE)
                .withFlush(new RelayConfig.FlushPace(Duration.ofMillis(300), 500, Duration.ofSeconds(1)));
        return Relay.start(open(), transport.publisher(), config, RoutePolicy.standard());
    }

    private static List<UUID> emit(EmbeddedPostgres server, int events) throws SQLException {
        try (Connection connection = DriverManager.getConnection(server.jdbcUrl("shop"))) {
            connection.setAutoCommit(false);
            List<UUID> ids = Purchase.emit(connection, "account-1", events);
            connection.commit();
            return ids;
        }
    }

    private void emitOnStandby() throws SQLException {
        try (Connection connection = DriverManager.getConnection(standby.jdbcUrl("shop"))) {
            connection.setAutoCommit(false);
            new PostgresOutbox(PostgresOutboxConfig.DEFAULT)
                    .emit(connection, Event.of("shop", "purchased").build());
        }
    }

    private void awaitPublished(List<UUID> ids) {
        Await.until("all are published", () -> ids.stream().allMatch(id -> transport.callsOf(id) > 0));
    }

    private void awaitReplayed() {
        String end = Shop.rows(primary.jdbcUrl("shop"), "SELECT pg_current_wal_lsn()")
                .get(0);
        Await.until(
                "the standby has it all",
                () -> Shop.rows(
                                standby.jdbcUrl("shop"),
                                "SELECT coalesce(pg_last_wal_replay_lsn() >= '" + end + "', false)")
                        .get(0)
                        .equals("t"));
    }
}
