package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.StoreException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Ids of transactions mean nothing in another cluster, so nothing is loaded that goes by them. */
class ForeignClusterTest {

    private static final Duration LONG = Duration.ofMinutes(5);
    private static final int ALL = Migrations.DEFAULT_LANES;

    private final TestPostgres postgres = TestPostgres.migrated();
    private final Relay.Stores a = PostgresRelayStores.open(
            postgres.dataSource(), Schema.DEFAULT, Route.named("main").fromBeginning(), "a");

    @Test
    void aCheckpointFromAnotherClusterIsRefused() throws SQLException {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        postgres.run("UPDATE posthorn.flush SET snapshots = ARRAY['9000000000:9000000000:'::pg_snapshot]");

        assertThatThrownBy(() -> a.checkpoints().load(a.relay(), List.of(mine)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("restored from a dump")
                .hasMessageContaining("nothing is published");
    }

    @Test
    void aPinFromAnotherClusterIsRefusedToo() throws SQLException {
        Lease mine = a.leases().acquire("a", 1, LONG).get(0);
        postgres.run("UPDATE posthorn.flush SET snapshots = snapshots || '9000000000:9000000000:'::pg_snapshot");
        postgres.run("UPDATE posthorn.checkpoint SET pin = 2, late = 0");

        assertThatThrownBy(() -> a.checkpoints().load(a.relay(), List.of(mine)))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("restored from a dump");
    }

    /** A dump of the log alone, without its cursors, restored before any relay ran. */
    @Test
    void aRowFromAnotherClusterIsRefusedToo() throws SQLException {
        List<Lease> mine = a.leases().acquire("a", ALL, LONG);
        postgres.run("INSERT INTO posthorn.outbox (tx, id, domain, type, payload, occurred_at)"
                + " VALUES ('9000000000', gen_random_uuid(), 'shop', 'Placed', '', now())");

        assertThatThrownBy(() -> a.checkpoints().load(a.relay(), mine))
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("restored from a dump");
    }
}
