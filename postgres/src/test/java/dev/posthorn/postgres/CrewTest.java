package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.LeaseStore.Crew;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Relays of one route know of each other, and for how long. */
class CrewTest {

    private static final Duration LONG = Duration.ofMinutes(5);

    private final TestPostgres postgres = TestPostgres.migrated();
    private final Relay.Stores a = open("a");
    private final Relay.Stores b = open("b");

    @Test
    void aRelayThatCrashedLongAgoIsForgotten() throws SQLException {
        a.leases().renew("a", List.of(), LONG, LeaseStore.Report.NEW);
        b.leases().renew("b", List.of(), LONG, LeaseStore.Report.NEW);
        postgres.run("INSERT INTO posthorn.relay (route, name, seen_at)"
                + " SELECT id, 'crashed ' || ago, now() - ago FROM posthorn.route"
                + " CROSS JOIN unnest('{23 hours,25 hours}'::interval[]) AS ago");

        a.leases().renew("a", List.of(), LONG, LeaseStore.Report.NEW);

        assertThat(postgres.rows("SELECT name FROM posthorn.relay ORDER BY 1"))
                .containsExactly("a", "b", "crashed 23:00:00");
    }

    @Test
    void eachRelayKnowsHowManyBeganBeforeIt() throws SQLException {
        assertThat(a.leases().crew("c", LONG)).isEqualTo(new Crew(1, 0));
        assertThat(a.leases().renew("c", List.of(), LONG, LeaseStore.Report.NEW).crew())
                .isEqualTo(new Crew(1, 0));
        assertThat(a.leases().renew("b", List.of(), LONG, LeaseStore.Report.NEW).crew())
                .isEqualTo(new Crew(2, 1));
        assertThat(a.leases().renew("a", List.of(), LONG, LeaseStore.Report.NEW).crew())
                .isEqualTo(new Crew(3, 2));

        assertThat(a.leases().renew("c", List.of(), LONG, LeaseStore.Report.NEW).crew())
                .isEqualTo(new Crew(3, 0));
        assertThat(a.leases().crew("b", LONG)).isEqualTo(new Crew(3, 1));

        a.leases().leave("c");
        assertThat(a.leases().crew("a", LONG)).isEqualTo(new Crew(2, 1));
        postgres.run("UPDATE posthorn.relay SET seen_at = now() - interval '1 hour' WHERE name = 'b'");
        assertThat(a.leases().crew("a", Duration.ofSeconds(1))).isEqualTo(new Crew(1, 0));
    }

    private Relay.Stores open(String relay) {
        return PostgresRelayStores.open(
                postgres.dataSource(), Schema.DEFAULT, Route.named("main").fromBeginning(), relay);
    }
}
