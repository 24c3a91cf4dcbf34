package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresFigures.ConsumerFigures;
import dev.posthorn.postgres.PostgresFigures.Count;
import dev.posthorn.postgres.PostgresFigures.DeadFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import dev.posthorn.postgres.StatusFixture.Row;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PostgresFiguresTest {

    private StatusFixture log;
    private PostgresFigures figures;

    @BeforeEach
    void aRouteWithALaneThatARelayHolds() throws SQLException {
        log = new StatusFixture();
        log.postgres.run("INSERT INTO posthorn.lease VALUES (1, 0, 'r1', 7, now() + interval '1 minute')");
        figures = new PostgresFigures(log.postgres.dataSource(), Schema.DEFAULT);
    }

    @Test
    void whatWaitsIsCountedAlsoIfItCommittedLate() throws SQLException {
        log.checkpoint(0);
        try (Connection late = log.postgres.transaction()) {
            log.emit(late, "NULL", "NULL");
            log.emit();
            log.checkpoint(1);
            log.emit();
            log.emitFor("now() + interval '1 hour'");
            late.commit();
        }

        RouteFigures route = figures.routes().get(0);

        assertThat(route.waiting()).isEqualTo(new Count(2, true)).isEqualTo(exact());
        assertThat(route.scheduled()).isEqualTo(new Count(1, true));
        assertThat(route.lanes()).hasSize(1);
        assertThat(route.held()).isEqualTo(1);
        assertThat(route.changes()).isEqualTo(7);
        assertThat(route.lag()).isPositive();
        assertThat(route.standing()).isPositive();
        assertThat(route.paused()).isFalse();
    }

    @Test
    void withNothingWaitingThereIsNoLagHoweverOldTheCheckpoint() throws SQLException {
        log.emit();
        log.checkpoint(0);

        RouteFigures route = figures.routes().get(0);

        assertThat(route.waiting()).isEqualTo(new Count(0, true));
        assertThat(route.lag()).isZero();
        assertThat(route.standing()).isZero();
    }

    @Test
    void eventsThatARouteDoesNotWantDoNotWaitForIt() throws SQLException {
        log.checkpoint(0);
        log.emit();
        log.emit();
        log.postgres.run("UPDATE posthorn.route SET types = '{other}'");

        RouteFigures route = figures.routes().get(0);

        assertThat(route.waiting()).isEqualTo(new Count(0, true));
        assertThat(route.lag()).isZero();
        assertThat(route.standing()).isZero();
        assertThat(lane().figures().waiting()).isEqualTo(new Count(0, true));
    }

    @Test
    void anEventThatHasJustComeAfterALongPauseDoesNotStandStill() throws SQLException {
        log.checkpoint(0);
        log.emit();

        RouteFigures route = figures.routes().get(0);

        assertThat(route.lag()).isPositive();
        assertThat(route.standing()).isLessThan(Duration.ofMinutes(1));
    }

    @Test
    void aRetiredRouteHasNoFiguresAndNothingWaitsInItsLanes() throws SQLException {
        log.checkpoint(0);
        log.emit();
        log.postgres.run("UPDATE posthorn.route SET retired_at = now()");

        assertThat(figures.routes()).isEmpty();
        assertThat(lane().figures().waiting()).isEqualTo(new Count(0, true));
        assertThat(lane().figures().oldestSince()).isEmpty();
    }

    @Test
    void eventsBehindABlockedHeadArePublishedByNobodyYetAndCounted() throws SQLException {
        log.checkpoint(0);
        Row head = log.emitWithKey("k");
        log.emitWithKey("k");
        log.emitWithKey("other");
        log.checkpoint(1);
        log.blockKey("k", 0, 1, (head.seq() - 1) + ", " + head.seq() + ", 2, now(), 'no', false");
        log.emitWithKey("k");

        RouteFigures route = figures.routes().get(0);

        assertThat(route.blockedKeys()).isEqualTo(new Count(1, true));
        assertThat(route.heldKeys()).isZero();
        assertThat(route.waiting()).isEqualTo(new Count(3, true)).isEqualTo(exact());
        assertThat(route.oldest()).isGreaterThan(route.lag());
        assertThat(lane().figures().waiting()).isEqualTo(route.waiting());
    }

    @Test
    void whatIsParkedBehindAHeldKeyWaitsInTheLaneAlso() throws SQLException {
        log.checkpoint(0);
        Row dead = log.emitWithKey("k");
        log.emitWithKey("k");
        log.checkpoint(1);
        log.detour(dead, "FAILED", 5, "NULL");
        log.blockKey("k", 0, 1, dead.seq() + ", " + dead.seq() + ", 5, NULL, 'no', true");

        RouteFigures route = figures.routes().get(0);

        assertThat(route.heldKeys()).isEqualTo(1);
        assertThat(route.waiting()).isEqualTo(new Count(1, true)).isEqualTo(exact());
        assertThat(route.lag()).isZero();
        assertThat(route.oldest()).isPositive();
        assertThat(lane().figures().waiting()).isEqualTo(route.waiting());
    }

    @Test
    void whatIsTriedAgainByItselfIsNotDead() throws SQLException {
        log.checkpoint(0);
        Row failed = log.emitWithKey("k");
        Row again = log.emitWithKey("k");
        Row scheduled = log.emitFor("now() + interval '1 hour'");
        log.checkpoint(1);
        log.detour(failed, "FAILED", 5, "NULL");
        log.detour(again, "RETRY", 1, "now()");
        log.detour(scheduled, "SCHEDULED", 0, "now() + interval '1 hour'");

        assertThat(figures.routes().get(0).waiting()).isEqualTo(new Count(1, true));
        assertThat(figures.routes().get(0).scheduled()).isEqualTo(new Count(1, true));
        assertThat(new PostgresInspection(log.postgres.dataSource(), Schema.DEFAULT).offWay())
                .containsExactly(new PostgresInspection.OffWay(StatusFixture.ROUTE, 0, 1, 1));
        assertThat(figures.dead())
                .containsExactly(new DeadFigures("route", StatusFixture.ROUTE, new Count(1, true), 1));
        assertThat(exact()).isEqualTo(new Count(1, true));
    }

    @Test
    void aConsumerIsAsFarBehindAsItsSlowestMemberSays() throws SQLException {
        log.postgres.run("INSERT INTO posthorn.consumer (name) VALUES ('billing'), ('gone')");
        member("billing", "a", "now()", 1_500);
        member("billing", "b", "now()", 500);
        member("billing", "crashed", "now() - interval '1 hour'", 9_000);
        member("gone", "x", "now() - interval '1 hour'", 2_000);

        assertThat(figures.consumers())
                .satisfiesExactly(
                        billing -> assertThat(billing)
                                .isEqualTo(new ConsumerFigures("billing", 2, 1, Duration.ofMillis(1_500), 30, 6)),
                        gone -> assertThat(gone.lag()).isBetween(Duration.ofSeconds(3_602), Duration.ofSeconds(3_700)));
    }

    @Test
    void aTransactionThatStaysOpenMakesTheXminOld() throws SQLException {
        try (Connection open = log.postgres.transaction()) {
            log.emit(open, "NULL", "NULL");
            log.emit();
            log.emit();

            assertThat(figures.server().xminAge()).isGreaterThanOrEqualTo(3);
            open.rollback();
        }
        assertThat(figures.server().standby()).isFalse();
        assertThat(figures.replays()).isEmpty();
    }

    @Test
    void aRelaysRoleMayReadThemAll() throws SQLException {
        TestRole role = TestRole.create(log.postgres, Schema.DEFAULT, RoleKind.RELAY);
        PostgresFigures own = new PostgresFigures(role.dataSource(), Schema.DEFAULT);
        log.checkpoint(0);

        assertThat(own.routes()).hasSize(1);
        assertThat(own.dead()).isEmpty();
        assertThat(own.consumers()).isEmpty();
        assertThat(own.replays()).isEmpty();
        assertThat(own.server().standby()).isFalse();
    }

    @Test
    void whereTheLimitForAllRoutesIsReachedNoCountIsExact() throws SQLException {
        log.postgres.run("INSERT INTO posthorn.route (name) VALUES ('other')");
        log.postgres.run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, attempts)"
                + " SELECT 1 + n % 2, 0, n, 'FAILED', gen_random_uuid(), 1 FROM generate_series(1, 12000) n");

        assertThat(figures.dead())
                .hasSize(2)
                .allSatisfy(one -> assertThat(one.letters().exact()).isFalse());
    }

    private PostgresInspection.LaneStatus lane() {
        return new PostgresInspection(log.postgres.dataSource(), Schema.DEFAULT)
                .lanes()
                .get(0);
    }

    /** What the view calls unpublished and not dead, which reads the whole log. */
    private Count exact() throws SQLException {
        return new Count(
                Long.parseLong(log.postgres
                        .rows(
                                "SELECT count(*) FROM posthorn.outbox_status WHERE state IN ('PENDING', 'RETRYING', 'PARKED')")
                        .get(0)),
                true);
    }

    private void member(String consumer, String member, String seen, int lag) throws SQLException {
        log.postgres.run(
                "INSERT INTO posthorn.consumer_member (consumer, member, seen_at, handled, skipped, retried, dead,"
                        + " lag_p50_ms, lag_p99_ms, handler_p99_ms) VALUES ('" + consumer + "', '" + member + "', "
                        + seen
                        + ", 10, 2, 0, 0, 1, " + lag + ", 1)");
    }
}
