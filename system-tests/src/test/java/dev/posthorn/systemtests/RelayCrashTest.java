package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.testkit.Await;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Relay processes that are stopped, killed and frozen while producers commit. */
@Tag("slow")
@Tag("exact")
class RelayCrashTest {

    private static final Duration TAKEOVER = Shop.LEASE.plusSeconds(2);
    private static final Duration START = Duration.ofSeconds(30);

    private final Shop shop = new Shop("relay");
    private final Audit audit = shop.audit();

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void aRelayThatIsToldToStopDrainsAndHandsOverWithinASecond() {
        Random random = Seed.random("sigterm");
        Duration usualLease = Duration.ofSeconds(15);
        JavaProcess first = shop.startRelay("first", usualLease);
        shop.startRelay("second", usualLease);
        shop.awaitLanes(START, "first", "second");
        Duration handover;
        try (Load load = Load.start(shop, random, 2, Duration.ofMillis(2))) {
            load.await(500);

            first.terminate();
            handover = shop.awaitLanes(Duration.ofSeconds(10), "second");
            load.await(200);
        }

        assertThat(first.awaitExit(Duration.ofSeconds(10))).isZero();
        assertThat(first.readRest()).last().asString().contains("\"event\":\"stopped\"");
        shop.awaitDrained();
        Ledger ledger = Ledger.of(shop);
        System.out.println("sigterm: " + ledger + ", handed over in " + handover.toMillis() + " ms");
        ledger.assertExact(0);
        audit.assertOneWriterForEachEpoch();
        assertThat(handover).isLessThan(Duration.ofSeconds(1));
    }

    @Test
    void aRelayThatIsKilledLosesNothingAndIsReplacedWithinItsLease() {
        Random random = Seed.random("kill");
        int kills = Size.of(2, 3, 60);
        Duration longest = Duration.ZERO;
        List<String> names = new ArrayList<>(List.of("relay-0", "relay-1"));
        List<JavaProcess> relays = new ArrayList<>(List.of(shop.startRelay("relay-0"), shop.startRelay("relay-1")));
        shop.awaitLanes(START, "relay-0", "relay-1");
        try (Load load = Load.start(shop, random, 4, Duration.ofMillis(1))) {
            for (int i = 0; i < kills; i++) {
                load.await(random.nextInt(3_000));
                int victim = random.nextInt(2);
                relays.get(victim).kill();

                Duration takeover = shop.awaitLanes(TAKEOVER, names.get(1 - victim));
                longest = takeover.compareTo(longest) > 0 ? takeover : longest;
                names.set(victim, "relay-" + (i + 2));
                relays.set(victim, shop.startRelay(names.get(victim)));
                shop.awaitLanes(START, names.get(0), names.get(1));
            }
        }

        shop.awaitDrained();
        Ledger ledger = Ledger.of(shop);
        System.out.println(
                "kill -9 of " + kills + " relays: " + ledger + ", taken over in at most " + longest.toMillis() + " ms");
        ledger.assertExact(kills * Shop.MOST_UNDER_WAY);
        audit.assertOneWriterForEachEpoch();
    }

    @Test
    void aRelayThatWasFrozenPastItsLeaseWritesNothingOfItsOldEpoch() throws IOException {
        Random random = Seed.random("freeze");
        int freezes = Size.of(1, 2, 20);
        JavaProcess frozen = shop.startRelay("frozen");
        shop.awaitLanes(START, "frozen");
        shop.startRelay("other");
        shop.awaitLanes(START, "frozen", "other");
        try (Load load = Load.start(shop, random, 4, Duration.ofMillis(1))) {
            for (int i = 0; i < freezes; i++) {
                load.await(random.nextInt(2_000));
                freezeOutsideTheFileLock(frozen);

                shop.awaitLanes(TAKEOVER, "other");
                load.await(500);
                frozen.thaw();
                shop.awaitLanes(START, "frozen", "other");
            }
        }

        shop.awaitDrained();
        Ledger ledger = Ledger.of(shop);
        System.out.println("frozen and thawed " + freezes + " times: " + ledger);
        ledger.assertExact(freezes * Shop.MOST_UNDER_WAY);
        audit.assertOneWriterForEachEpoch();
    }

    /** The file is a stand-in for a broker; a process that sleeps with its lock would stop all others, as no broker does. */
    private static void freezeOutsideTheFileLock(JavaProcess process) throws IOException {
        process.freeze();
        while (Files.readAllLines(Path.of("/proc/locks")).stream()
                .anyMatch(lock -> lock.contains(" POSIX ") && lock.contains(" " + process.pid() + " "))) {
            process.thaw();
            process.freeze();
        }
    }

    @Test
    void relaysThatComeAndGoShareTheLanesWithoutADuplicate() {
        Random random = Seed.random("scale");
        int rounds = Size.of(1, 1, 15);
        shop.startRelay("steady");
        shop.awaitLanes(START, "steady");
        try (Load load = Load.start(shop, random, 4, Duration.ofMillis(1))) {
            for (int i = 0; i < rounds; i++) {
                String[] all = {"steady", "guest-a" + i, "guest-b" + i, "guest-c" + i, "guest-d" + i};
                List<JavaProcess> guests =
                        Arrays.stream(all, 1, all.length).map(shop::startRelay).toList();
                // Sixteen lanes for five: four for one of them, and three for each of the others.
                Await.within(
                        START,
                        () -> "five share the lanes, but steady has " + shop.lanesOf("steady"),
                        () -> shop.lanesOf(all) == Shop.LANES
                                && Arrays.stream(all).allMatch(name -> shop.lanesOf(name) >= 3));
                load.await(1_000);

                guests.forEach(JavaProcess::terminate);
                shop.awaitLanes(START, "steady");
                guests.forEach(guest -> assertThat(guest.awaitExit(START)).isZero());
                load.await(500);
            }
        }

        shop.awaitDrained();
        Ledger ledger = Ledger.of(shop);
        System.out.println("1 → 5 → 1 relays, " + rounds + " times: " + ledger);
        ledger.assertExact(0);
        audit.assertOneWriterForEachEpoch();
    }
}
