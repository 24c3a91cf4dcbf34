package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Relay processes on hosts whose clocks are an hour fast, an hour slow, and set to and fro. */
@Tag("slow")
@Tag("exact")
class WrongClockTest {

    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration HOUR = Duration.ofHours(1);

    private final Shop shop = new Shop("clock");
    private final Audit audit = shop.audit();

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void aWrongClockTakesNoLeaseEarlyAndKeepsNoneForLong() {
        Random random = Seed.random("clock");
        FakeTime moving = new FakeTime(shop.folder().resolve("moving"), "+0h");
        shop.startRelayWith(new FakeTime(shop.folder().resolve("fast"), "+1h").environment(), "fast");
        shop.startRelayWith(new FakeTime(shop.folder().resolve("slow"), "-1h").environment(), "slow");
        JavaProcess jumping = shop.startRelayWith(moving.environment(), "jumping");
        shop.awaitLanes(START, "fast", "slow", "jumping");
        Duration takeover;
        try (Load load = Load.start(shop, random, 2, Duration.ofMillis(4))) {
            load.await(300);
            List<String> owners = owners();

            for (int i = 0; i < Size.of(2, 2, 20); i++) {
                jump(moving, "+1h", HOUR);
                jump(moving, "-1h", HOUR.negated());
            }

            assertThat(owners()).as("lanes stay with their owners").isEqualTo(owners);
            assertIsOff("fast", HOUR);
            assertIsOff("slow", HOUR.negated());
            Ledger ledger = Ledger.of(shop);
            assertThat(ledger.duplicates()).as("%s", ledger).isZero();
            jumping.kill();
            takeover = shop.awaitLanes(Shop.LEASE.plusSeconds(2), "fast", "slow");
        }

        shop.awaitDrained();
        Ledger ledger = Ledger.of(shop);
        System.out.println(
                "wrong clocks: " + ledger + ", the killed one's lanes taken over in " + takeover.toMillis() + " ms");
        ledger.assertExact(Shop.MOST_UNDER_WAY);
        audit.assertOneWriterForEachEpoch();
    }

    /** Sets the clock, and waits longer than a lease lasts for whatever that may lead to. */
    private void jump(FakeTime clock, String difference, Duration expected) {
        clock.set(difference);
        long renewed = shop.number("SELECT (date_part('epoch', max(expires_at)) * 1000)::bigint FROM posthorn.lease");
        Await.until("its clock is off by " + difference, () -> isOff("jumping", expected));
        Await.until(
                "a lease has passed",
                () -> shop.number("SELECT (date_part('epoch', clock_timestamp()) * 1000)::bigint") > renewed);
    }

    private void assertIsOff(String relay, Duration by) {
        assertThat(isOff(relay, by)).as("%s is off by %s", relay, by).isTrue();
    }

    /** By what it wrote last. */
    private boolean isOff(String relay, Duration by) {
        Duration found = Duration.between(Instant.now(), Ledger.lastPublishedBy(shop, relay));
        return found.minus(by).abs().compareTo(Duration.ofMinutes(1)) < 0;
    }

    private List<String> owners() {
        return shop.rows("SELECT lane || ' ' || owner || ' ' || epoch FROM posthorn.lease ORDER BY lane");
    }
}
