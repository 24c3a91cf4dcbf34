package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresInspection.Lag;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.RelayStatus.Obstacle;
import dev.posthorn.relay.Route;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What other processes know of a relay. */
class RelayReportTest {

    private static final Duration LONG = Duration.ofMinutes(1);

    private final RelayHarness harness = new RelayHarness();
    private final PostgresInspection inspection = new PostgresInspection(harness.postgres.dataSource(), Schema.DEFAULT);

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void howFastARelayPublishesIsKnownFromItsLastTwoReports() throws SQLException {
        LeaseStore leases = leases();
        leases.renew("r", List.of(), LONG, LeaseStore.Report.NEW);
        harness.postgres.run("UPDATE posthorn.relay SET seen_at = seen_at - interval '10 s'");

        leases.renew("r", List.of(), LONG, new LeaseStore.Report(5_000, Obstacle.NONE, Optional.empty()));

        LiveRelay relay = inspection.relays().get(0);
        assertThat(relay.isAlive()).isTrue();
        assertThat(relay.work().published()).isEqualTo(5_000);
        assertThat(relay.work().perSecond()).isBetween(100.0, 500.0);
        assertThat(relay.work().obstacle()).isEmpty();
    }

    @Test
    void aRelayThatBeganAgainUnderItsOldNameHasNoNegativeRate() {
        LeaseStore leases = leases();
        leases.renew("r", List.of(), LONG, new LeaseStore.Report(5_000, Obstacle.NONE, Optional.empty()));

        leases.renew("r", List.of(), LONG, new LeaseStore.Report(3, Obstacle.NONE, Optional.empty()));

        assertThat(inspection.relays().get(0).work().perSecond()).isZero();
    }

    @Test
    void whateverABrokerSaysDoesNotKeepLeasesFromBeingRenewed() {
        String said = "a zero\0, " + "😀".repeat(400);

        leases().renew("r", List.of(), LONG, new LeaseStore.Report(0, Obstacle.DESTINATION, Optional.of(said)));

        assertThat(inspection.relays().get(0).work().outage())
                .hasValueSatisfying(kept -> assertThat(kept).isEqualTo("a zero\uFFFD, " + "😀".repeat(400)));
    }

    @Test
    void anOpenBreakerIsKnownToOtherProcesses() {
        harness.config = harness.config.withLeaseTtl(Duration.ofSeconds(1));
        RecordingTransport away = RecordingTransport.answering((event, attempt) -> Outcome.unavailable("nobody there"));
        Relay relay = harness.startRelay("r", away.publisher());

        harness.emit(Event.of("shop", "placed").key("k").build());

        Await.until(
                "its next report tells",
                () -> inspection.relays().stream()
                        .anyMatch(one -> one.work().obstacle().equals(Optional.of(Obstacle.DESTINATION))));
        assertThat(inspection.relays().get(0).work().outage())
                .isEqualTo(relay.status().outage())
                .hasValueSatisfying(why -> assertThat(why).contains("nobody there"));
    }

    @Test
    void anOutageIsKnownToOtherProcessesBeforeTheNextRenewalIsDue() {
        harness.config = harness.config.withLeaseTtl(Duration.ofMinutes(5));
        AtomicBoolean down = new AtomicBoolean();
        RecordingTransport transport = RecordingTransport.answering(
                (event, attempt) -> down.get() ? Outcome.unavailable("nobody there") : Outcome.accepted());
        harness.startRelay("r", transport.publisher());
        Event first = Event.of("shop", "placed").key("k").build();
        harness.emit(first);
        Await.until("it is published", () -> harness.state(first).equals("SENT"));

        down.set(true);
        harness.emit(Event.of("shop", "placed").key("k").build());
        Await.until("the outage is known", () -> obstacles().contains(Obstacle.DESTINATION));
        assertThat(troublesOfTheDestination()).singleElement().satisfies(found -> {
            assertThat(found.serious()).isTrue();
            assertThat(found.found()).contains("route main", "relay r", "nobody there");
        });

        down.set(false);
        Await.until("its end is known", () -> obstacles().isEmpty());
        assertThat(troublesOfTheDestination()).isEmpty();
    }

    private List<PostgresDoctor.Finding> troublesOfTheDestination() {
        return new PostgresDoctor(harness.postgres.dataSource(), Schema.DEFAULT)
                .examine().stream()
                        .filter(finding -> finding.check().equals("destination"))
                        .toList();
    }

    private List<Obstacle> obstacles() {
        return inspection.relays().stream()
                .flatMap(one -> one.work().obstacle().stream())
                .toList();
    }

    @Test
    void howLongEventsTookIsKnownFromTheCheckpoints() throws SQLException {
        harness.startRelay("r", RecordingTransport.accepting().publisher());
        Event event = Event.of("shop", "placed").key("k").build();
        harness.emit(event);
        Await.until("it is published", () -> harness.state(event).equals("SENT"));

        assertThat(inspection.lags()).singleElement().satisfies(lag -> {
            assertThat(lag.route()).isEqualTo("main");
            assertThat(lag.p50()).isPositive().isLessThanOrEqualTo(lag.p99()).isLessThan(LONG);
        });
        harness.postgres.run("UPDATE posthorn.outbox SET created_at = created_at - interval '1 hour'");
        assertThat(inspection.lags()).extracting(Lag::p99).allMatch(p99 -> p99.compareTo(LONG) > 0);
        harness.postgres.run("UPDATE posthorn.flush SET at = at - interval '1 hour'");
        assertThat(inspection.lags()).as("lately").isEmpty();
    }

    private LeaseStore leases() {
        return PostgresRelayStores.open(harness.postgres.dataSource(), Schema.DEFAULT, Route.named("main"), "r")
                .leases();
    }
}
