package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.StopMode;
import java.time.Duration;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The database goes away under producers and relays, and comes back. */
@Tag("slow")
@Tag("exact")
class PostgresRestartTest {

    private final Shop shop = new Shop("postgres");
    private final Audit audit = shop.audit();

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void aRestartLosesNothingAndTellsNoProducerALie() {
        Random random = Seed.random("restart");
        int restarts = Size.of(2, 4, 40);
        JavaProcess one = shop.startRelay("one");
        JavaProcess two = shop.startRelay("two");
        shop.awaitLanes(Duration.ofSeconds(30), "one", "two");
        Load load = Load.start(shop, random, 4, Duration.ofMillis(1));
        try (load) {
            for (int i = 0; i < restarts; i++) {
                load.await(random.nextInt(2_000));
                shop.postgres().restart(i % 2 == 0 ? StopMode.FAST : StopMode.IMMEDIATE);
                load.await(500);
            }
        }

        shop.awaitDrained();
        Ledger ledger = Ledger.of(shop);
        System.out.println(restarts + " restarts of Postgres: " + ledger + "; producers lost their connection "
                + load.broken() + " times");
        ledger.assertExact(restarts * Shop.MOST_UNDER_WAY);
        audit.assertOneWriterForEachEpoch();
        assertThat(load.broken()).isPositive();
        Set<UUID> missing = load.committed();
        missing.removeAll(stored());
        assertThat(missing).as("told to be committed, but not there").isEmpty();
        Set<UUID> wrong = load.rolledBack();
        wrong.retainAll(stored());
        assertThat(wrong).as("told to be rolled back, but there").isEmpty();
        one.terminate();
        two.terminate();
        assertThat(one.awaitExit(Duration.ofSeconds(20))).isZero();
        assertThat(two.awaitExit(Duration.ofSeconds(20))).isZero();
    }

    private Set<UUID> stored() {
        Set<UUID> ids = new TreeSet<>();
        shop.rows("SELECT id FROM posthorn.outbox").forEach(id -> ids.add(UUID.fromString(id)));
        return ids;
    }
}
