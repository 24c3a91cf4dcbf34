package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.testkit.Await;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Producer processes that are killed around their commit. */
@Tag("slow")
@Tag("exact")
class ProducerCrashTest {

    private final Shop shop = new Shop("producer");
    private int producers;

    @BeforeEach
    void start() {
        shop.startRelay("relay");
    }

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void killedBeforeTheCommitNothingIsThere() {
        JavaProcess producer = launch("account-1", "before");
        Set<String> emitted = ids(producer.readLine(), "emitted");

        producer.kill();
        awaitGone();

        shop.awaitDrained();
        assertThat(stored()).doesNotContainAnyElementsOf(emitted);
        Ledger.of(shop).assertExact(0);
    }

    @Test
    void killedAfterTheCommitEverythingIsPublished() {
        JavaProcess producer = launch("account-1", "after");
        producer.readLine();
        Set<String> committed = ids(producer.readLine(), "committed");

        producer.kill();
        awaitGone();

        shop.awaitDrained();
        assertThat(stored()).containsAll(committed);
        Ledger.of(shop).assertExact(0);
    }

    @Test
    void killedAtAnyMomentWhatIsThereIsPublishedAndWhatWasConfirmedIsThere() {
        Random random = Seed.random("producer");
        int kills = Size.of(2, 3, 60);
        int unsure = 0;
        Set<String> committed = new TreeSet<>();
        for (int i = 0; i < kills; i++) {
            JavaProcess producer = launch("account-" + i % Shop.ACCOUNTS, "never");
            producer.readLine();
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(400_000)));

            producer.kill();

            List<String> said = new ArrayList<>(producer.readRest());
            said.stream()
                    .filter(line -> line.startsWith("committed ") && line.length() % 37 == "committed".length())
                    .forEach(line -> committed.addAll(ids(line, "committed")));
            unsure += said.isEmpty() || said.get(said.size() - 1).startsWith("emitted ") ? 1 : 0;
            awaitGone();
        }

        shop.awaitDrained();
        Ledger ledger = Ledger.of(shop);
        System.out.println("kill -9 of " + kills + " producers: " + ledger + ", " + committed.size()
                + " events confirmed, " + unsure + " killed between emit and answer");
        assertThat(stored()).containsAll(committed);
        ledger.assertExact(0);
    }

    private JavaProcess launch(String account, String stop) {
        return shop.launch(
                "producer-" + producers++, CrashingProducer.class.getName(), List.of(shop.url(), account, stop));
    }

    /** Until the server has noticed that the producer is gone, its transaction is open. */
    private void awaitGone() {
        Await.within(
                Duration.ofSeconds(30),
                () -> "the server drops the producer's session",
                () -> shop.number("SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
                                + " AND pid <> pg_backend_pid() AND application_name NOT LIKE 'posthorn%'"
                                + " AND backend_type = 'client backend'")
                        == 0);
    }

    private static Set<String> ids(String line, String word) {
        assertThat(line).startsWith(word + " ");
        return new TreeSet<>(Arrays.asList(line.substring(word.length() + 1).split(" ", -1)));
    }

    private Set<String> stored() {
        return new TreeSet<>(shop.rows("SELECT id::text FROM posthorn.outbox"));
    }
}
