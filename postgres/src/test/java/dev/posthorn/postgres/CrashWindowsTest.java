package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.Ledger.Balance;
import dev.posthorn.postgres.Lifeline.Step;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A relay dies between two steps and another takes over: nothing lost, invented or out of order, few duplicates. */
@Timeout(90)
@Tag("exact")
class CrashWindowsTest {

    private static final Set<Step> NOTHING_SENT = EnumSet.of(Step.BEFORE_READ, Step.AFTER_READ, Step.BEFORE_PUBLISH);

    private final TestPostgres postgres = TestPostgres.migrated();
    private final InterceptedDataSource intercepted = new InterceptedDataSource(postgres);
    private final HikariDataSource poolOfA = pool();
    private final HikariDataSource poolOfB = postgres.pool();
    private final MixedEvents events = new MixedEvents(poolOfB);
    private final RecordingTransport transport = events.transport();
    private final List<Relay> relays = new ArrayList<>();

    static Stream<Arguments> windows() {
        List<Integer> crossings = TestSize.of(1, 2, 3) == 1 ? List.of(1) : List.of(1, 2, 7);
        return crossings.stream()
                .flatMap(crossing -> Stream.of(Step.values()).map(step -> Arguments.of(step, crossing)));
    }

    @AfterEach
    void close() {
        relays.forEach(Relay::close);
        poolOfA.close();
        poolOfB.close();
    }

    @ParameterizedTest
    @MethodSource("windows")
    void nothingIsLostInventedOrOutOfOrderWhenARelayDies(Step step, int crossing) throws Exception {
        // Given
        Lifeline lifeline = new Lifeline();
        Relay.Stores stores = open("a", poolOfA);
        lifeline.around(intercepted);
        lifeline.cutAt(step, crossing);
        events.emit();
        relays.add(Relay.start(
                lifeline.around(stores),
                lifeline.around(transport.publisher()),
                SmallSteps.config(),
                SmallSteps.policy()));

        // When
        while (!lifeline.isCut()) {
            events.emit();
        }
        lifeline.awaitCut();
        Set<UUID> knownAsSent = sent();
        events.emit();
        expireLeases();
        startB();

        // Then
        awaitAllSettled();
        Balance balance = new Ledger(postgres).balance(events.arrived());
        System.out.println(step + " at crossing " + crossing + ": " + balance);
        assertThat(balance.holds()).as("%s", balance).isTrue();
        assertThat(balance.twice().stream().filter(knownAsSent::contains))
                .as("known as SENT when the relay died")
                .isEmpty();
        assertThat(balance.twice().size()).isLessThanOrEqualTo(SmallSteps.bound());
        if (crossing == 1 && NOTHING_SENT.contains(step)) {
            assertThat(balance.twice()).isEmpty();
        }
    }

    @Test
    void anotherRelayTakesOverWhenTheLeaseHasRunOut() throws Exception {
        Lifeline lifeline = new Lifeline();
        Relay.Stores stores = open("a", poolOfA);
        lifeline.cutAt(Step.AFTER_READ, 1);
        events.emit();
        relays.add(Relay.start(
                lifeline.around(stores),
                lifeline.around(transport.publisher()),
                SmallSteps.config(),
                SmallSteps.policy()));
        lifeline.awaitCut();
        long died = System.nanoTime();

        startB();
        Await.until("something arrives", () -> !events.arrived().isEmpty());

        assertThat(Duration.ofNanos(System.nanoTime() - died))
                .isLessThan(SmallSteps.config().leaseTtl().plusSeconds(2));
        awaitAllSettled();
        assertThat(new Ledger(postgres).balance(events.arrived()).twice()).isEmpty();
    }

    // ---- hands

    private HikariDataSource pool() {
        HikariConfig hikari = new HikariConfig();
        hikari.setDataSource(intercepted);
        hikari.setMaximumPoolSize(8);
        hikari.setMinimumIdle(0);
        return new HikariDataSource(hikari);
    }

    private static Relay.Stores open(String relay, HikariDataSource pool) {
        return PostgresRelayStores.open(
                pool, Schema.DEFAULT, Route.named("main").fromBeginning(), relay);
    }

    private void startB() {
        relays.add(Relay.start(open("b", poolOfB), transport.publisher(), SmallSteps.config(), SmallSteps.policy()));
    }

    private Set<UUID> sent() throws SQLException {
        return new Ledger(postgres).ids("SELECT id FROM posthorn.outbox_status WHERE state = 'SENT'");
    }

    private void expireLeases() throws SQLException {
        postgres.run("UPDATE posthorn.lease SET expires_at = '-infinity'");
        postgres.run("DELETE FROM posthorn.relay");
    }

    private void awaitAllSettled() {
        events.awaitAllSettled(postgres);
    }
}
