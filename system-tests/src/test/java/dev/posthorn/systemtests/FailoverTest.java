package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.embeddedpostgres.StopMode;
import dev.posthorn.testkit.Await;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The primary dies under producers and relay processes, and a standby that had not received everything takes over. */
@Tag("slow")
@Tag("exact")
class FailoverTest {

    private final Shop shop = new Shop("failover", InstalledPostgres.builder());
    private final Audit audit = shop.audit();
    private final EmbeddedPostgres standby = shop.startStandby(InstalledPostgres.builder());

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void nothingThatWasReplicatedIsLostAndWhatReusesNumbersIsNotHidden() {
        Random random = Seed.random("failover");
        int events = Size.of(500, 1_500, 50_000);
        JavaProcess one = shop.startRelay("one");
        JavaProcess two = shop.startRelay("two");
        shop.awaitLanes(Duration.ofSeconds(30), "one", "two");
        Duration outage;
        long notCheckpointed;
        Load load = Load.start(shop, random, 4, Duration.ofMillis(1));
        try (load) {
            load.await(events);
            stopFollowing();
            load.await(events);

            shop.postgres().kill();
            notCheckpointed = number(standby, "SELECT count(*) FROM posthorn.outbox_status WHERE state <> 'SENT'");
            long flushed = number(standby, "SELECT max(id) FROM posthorn.flush");
            standby.promote();
            outage = Await.within(
                    Duration.ofSeconds(20),
                    () -> "relays checkpoint again; " + one.log() + two.log(),
                    () -> number(standby, "SELECT max(id) FROM posthorn.flush") > flushed);
            load.await(events);
        }

        shop.awaitDrained();
        assertNothingIsCharged();
        audit.assertOneWriterForEachEpoch();
        terminate(one);
        terminate(two);
        // What the old primary had is known from its own disk.
        shop.postgres().restart(StopMode.FAST);
        Map<UUID, String> old = numbers(shop.postgres());
        Map<UUID, String> now = numbers(standby);
        Set<UUID> gone = without(old.keySet(), now.keySet());
        Set<String> reused = reused(old, now, gone);
        Ledger ledger = Ledger.of(shop, now.keySet(), gone);
        System.out.println("failover: " + ledger + "; " + gone.size() + " committed on the old primary alone, "
                + reused.size() + " of their seqs and xids given again; " + notCheckpointed
                + " not checkpointed when it died; next checkpoint " + outage.toMillis() + " ms after the promotion");
        ledger.assertExact((int) notCheckpointed + Shop.MOST_UNDER_WAY);
        assertThat(reused).as("pairs of seq and xid that were given again").isNotEmpty();
        assertThat(without(without(load.committed(), now.keySet()), old.keySet()))
                .as("told to be committed, but nowhere")
                .isEmpty();
        assertThat(load.rolledBack())
                .as("told to be rolled back, but there")
                .doesNotContainAnyElementsOf(old.keySet())
                .doesNotContainAnyElementsOf(now.keySet());
    }

    /** The standby receives nothing more; what is committed from now on goes with the primary. */
    private void stopFollowing() {
        Shop.run(standby, "ALTER SYSTEM SET primary_conninfo = ''");
        Shop.run(standby, "SELECT pg_reload_conf()");
        Await.until(
                "the standby receives nothing",
                () -> number(standby, "SELECT count(*) FROM pg_stat_wal_receiver") == 0);
    }

    private void assertNothingIsCharged() {
        assertThat(shop.rows("SELECT outcome || ': ' || error FROM posthorn.attempt"
                        + " UNION ALL SELECT kind FROM posthorn.detour UNION ALL SELECT key FROM posthorn.blocked_key"))
                .as("charged to events")
                .isEmpty();
    }

    private static void terminate(JavaProcess relay) {
        relay.terminate();
        assertThat(relay.awaitExit(Duration.ofSeconds(20))).isZero();
    }

    /** Each event's seq and xid. */
    private static Map<UUID, String> numbers(EmbeddedPostgres server) {
        Map<UUID, String> numbers = new HashMap<>();
        Shop.rows(server.jdbcUrl("shop"), "SELECT id || ' ' || seq || '/' || tx FROM posthorn.outbox")
                .forEach(row -> numbers.put(UUID.fromString(row.substring(0, 36)), row.substring(37)));
        return numbers;
    }

    /** Which seqs and xids of events that are gone another event has now. */
    private static Set<String> reused(Map<UUID, String> old, Map<UUID, String> now, Set<UUID> gone) {
        Set<String> reused = new HashSet<>();
        gone.forEach(event -> reused.addAll(parts(old.getOrDefault(event, ""))));
        Set<String> given = new HashSet<>();
        now.values().forEach(pair -> given.addAll(parts(pair)));
        reused.retainAll(given);
        return reused;
    }

    private static List<String> parts(String numbers) {
        int slash = numbers.indexOf('/');
        return List.of("seq " + numbers.substring(0, slash), "xid " + numbers.substring(slash + 1));
    }

    private static Set<UUID> without(Set<UUID> all, Set<UUID> some) {
        Set<UUID> rest = new HashSet<>(all);
        rest.removeAll(some);
        return rest;
    }

    private static long number(EmbeddedPostgres server, String sql) {
        return Long.parseLong(Shop.rows(server.jdbcUrl("shop"), sql).get(0));
    }
}
