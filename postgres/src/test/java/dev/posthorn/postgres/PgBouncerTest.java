package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.StoreException;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a relay needs of a pooler in transaction mode, and what it says where it does not get it. */
@Tag("slow")
class PgBouncerTest {

    private final TestPostgres postgres = TestPostgres.migrated();

    @Test
    void aDriverThatPreparesStatementsIsFoundOut() {
        DataSource preparing = PgBouncer.shared().preparing(postgres);

        assertThatThrownBy(() -> {
                    Relay.Stores a = PostgresRelayStores.open(preparing, Schema.DEFAULT, "main", "a");
                    Relay.Stores b = PostgresRelayStores.open(preparing, Schema.DEFAULT, "main", "b");
                    for (int i = 0; i < 20; i++) {
                        look(a, "a");
                        look(b, "b");
                    }
                })
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("prepareThreshold=0")
                .hasMessageContaining("pooler");
    }

    @Test
    void settingsDoNotOutliveTheirTransaction() {
        DataSource pooled = PgBouncer.shared().before(postgres);
        Relay.Stores stores = PostgresRelayStores.open(pooled, Schema.DEFAULT, "main", "a");
        for (int i = 0; i < 10; i++) {
            look(stores, "a");
        }

        Connections connections = new Connections(pooled, Duration.ofSeconds(10));
        connections.askForPlans();
        boolean plain = connections.change("look", "SELECT " + PlainPlans.IN_FORCE, bind -> {}, rows -> {
            rows.next();
            return rows.getBoolean(1);
        });

        assertThat(plain).isFalse();
    }

    private static void look(Relay.Stores stores, String relay) {
        List<Lease> leases = stores.leases().acquire(relay, 1, Duration.ofMinutes(1));
        List<LaneState> lanes = stores.checkpoints().load(stores.relay(), leases);
        lanes.forEach(lane -> stores.log().read(List.of(new LaneRead(lane.lane(), lane.cursor(), 5, 5))));
        stores.leases().release(relay, leases);
    }
}
