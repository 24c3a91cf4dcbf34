package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresInspection.DeadEvent;
import dev.posthorn.postgres.PostgresInspection.LaneStatus;
import dev.posthorn.postgres.StatusFixture.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresInspectionTest {

    private StatusFixture log;
    private PostgresInspection inspection;
    private PostgresDeadEvents dead;

    @BeforeEach
    void aRouteWithALaneThatARelayHolds() throws SQLException {
        log = new StatusFixture();
        log.postgres.run("INSERT INTO posthorn.lease VALUES (1, 0, 'r1', 7, now() + interval '1 minute')");
        log.postgres.run("INSERT INTO posthorn.relay (route, name) VALUES (1, 'r1'), (1, 'gone')");
        inspection = new PostgresInspection(log.postgres.dataSource(), Schema.DEFAULT);
        dead = new PostgresDeadEvents(log.postgres.dataSource(), Schema.DEFAULT);
    }

    @Test
    void whatNoCheckpointCoversWaitsAlsoIfItCommittedLate() throws SQLException {
        // Given
        log.checkpoint(0);
        try (Connection late = log.postgres.transaction()) {
            log.emit(late, "NULL", "NULL");
            log.emit();
            log.checkpoint(1);
            log.emit();

            // When
            late.commit();
        }

        // Then
        LaneStatus lane = inspection.lanes().get(0);
        assertThat(lane.route()).isEqualTo("orders");
        assertThat(lane.owner()).contains("r1");
        assertThat(lane.figures().epoch()).isEqualTo(7);
        assertThat(lane.waiting()).isEqualTo(2);
        assertThat(lane.figures().oldestSince()).isPresent();
    }

    @Test
    void aLaneWhoseLeaseHasRunOutHasNoOwner() throws SQLException {
        // Given
        log.checkpoint(0);

        // When
        log.postgres.run("UPDATE posthorn.lease SET expires_at = now() - interval '1 second'");

        // Then
        assertThat(inspection.lanes().get(0).owner()).isEmpty();
        assertThat(inspection.lanes().get(0).figures().oldestSince()).isEmpty();
    }

    @Test
    void everyRelayIsListedWithTheLanesItHolds() {
        assertThat(inspection.relays())
                .extracting(PostgresInspection.LiveRelay::name, PostgresInspection.LiveRelay::lanes)
                .containsExactlyInAnyOrder(tuple("r1", 1), tuple("gone", 0));
    }

    @Test
    void aDeadEventIsShownWithWhyAndWhetherItsKeyWaitsForIt() throws SQLException {
        // Given
        Row failed = aFailedEvent();

        // When
        log.blockKey("k", 0, 1, failed.seq() + ", " + failed.seq() + ", 5, NULL, 'no', true");

        // Then
        DeadEvent event = inspection.dead("orders", null, 10).get(0);
        assertThat(event.id()).isEqualTo(failed.id());
        assertThat(event.kind()).contains("shop/placed");
        assertThat(event.held()).isTrue();
        assertThat(event.setback().attempts()).isEqualTo(5);
        assertThat(inspection.dead("other", null, 10)).isEmpty();
        assertThat(inspection.dead(null, failed.id(), 10)).hasSize(1);
        assertThat(inspection.offWay()).containsExactly(new PostgresInspection.OffWay("orders", 1, 1, 0));
        assertThat(inspection.blockedKeys(10))
                .extracting(PostgresInspection.BlockedKey::key)
                .containsExactly("k");
    }

    @Test
    void aDeadEventCanBeRedrivenOnce() throws SQLException {
        // Given
        Row failed = aFailedEvent();

        // When
        String answer = dead.redrive("orders", failed.id(), "fixed");

        // Then
        assertThat(answer).isEqualTo("to be published by itself, out of order");
        assertThatThrownBy(() -> dead.redrive("orders", failed.id(), null))
                .isInstanceOf(PosthornException.class)
                .hasMessageStartingWith("Event " + failed.id() + " is not FAILED for route \"orders\". Look at");
    }

    @Test
    void anEventThatIsNotDeadCanNotBeDiscarded() {
        assertThatThrownBy(() -> dead.discard("orders", new UUID(0, 1), "why not"))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("is not FAILED");
    }

    @Test
    void aMissingSchemaIsNamedTogetherWithWhatToDo() {
        PostgresInspection elsewhere = new PostgresInspection(log.postgres.dataSource(), new Schema("nowhere"));

        assertThatThrownBy(elsewhere::lanes)
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("\"nowhere\" is not in this database")
                .hasMessageContaining("Run the migrations");
    }

    private Row aFailedEvent() throws SQLException {
        log.checkpoint(0);
        Row failed = log.emitWithKey("k");
        log.checkpoint(1);
        log.detour(failed, "FAILED", 5, "NULL");
        return failed;
    }
}
