package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RelayWithoutDatabaseTest {

    private final RelayHarness harness = new RelayHarness(TestPostgres::dataSource, Duration.ofMillis(250));
    private final TestPostgres neighbour = TestPostgres.empty();

    @AfterEach
    void close() {
        harness.close();
    }

    @Test
    void itsStatusSaysSoAndClaimsNoLaneUntilTheDatabaseIsBack() throws SQLException {
        // Given
        harness.config = harness.config.withLeaseTtl(Duration.ofSeconds(1));
        RecordingTransport transport = RecordingTransport.accepting();
        Relay relay = harness.startRelay("r1", transport.publisher());
        Await.until("it has lanes", () -> !relay.status().lanes().isEmpty());
        assertThat(relay.status().outage()).isEmpty();

        // When
        String name = harness.postgres.dataSource().getDatabaseName();
        neighbour.run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS false");
        neighbour.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + name + "'");

        // Then
        Await.until("it claims no lane", () -> relay.status().lanes().isEmpty());
        Await.until("it says why", () -> relay.status().outage().isPresent());
        assertThat(relay.status().outage().orElseThrow()).contains("is not currently accepting connections");
        neighbour.run("ALTER DATABASE " + name + " ALLOW_CONNECTIONS true");
        Await.until(
                "it is well",
                () -> relay.status().outage().isEmpty()
                        && !relay.status().lanes().isEmpty());
        harness.emit(Event.of("shop", "placed").json("1").build());
        transport.awaitCalls(1);
    }
}
