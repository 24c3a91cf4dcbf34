package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.relay.CheckpointStore.LaneState;
import dev.posthorn.relay.LeaseStore.Lease;
import dev.posthorn.relay.Log.LaneRead;
import dev.posthorn.relay.Relay;
import dev.posthorn.relay.StoreException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.postgresql.ds.PGSimpleDataSource;

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

    /** A driver that prepares at once meets the statement of the session before. */
    private interface Use {
        void run(DataSource database) throws Exception;
    }

    static Stream<Arguments> uses() {
        return Stream.of(
                use("relay", database -> PostgresRelayStores.open(database, Schema.DEFAULT, "main", "a")),
                use("emit", PgBouncerTest::emit),
                use("status", database -> new PostgresInspection(database, Schema.DEFAULT).lanes()),
                use("dead", database -> new PostgresDeadDesk(database, Schema.DEFAULT).count(DeadFilter.all())),
                use(
                        "audit",
                        database -> new PostgresActions(Schema.DEFAULT, "ann")
                                .record(database, new PostgresActions.Deed("test", null, "x", "y", 1))),
                use("schema", database -> new Migrations(Schema.DEFAULT).validate(database)),
                use("figures", database -> new PostgresFigures(database, Schema.DEFAULT).routes()),
                use("consumer", database -> new PostgresConsumers(database, Schema.DEFAULT).redriven("billing", 1)),
                use(
                        "pruning",
                        database -> new PostgresPruner(database, Schema.DEFAULT, Duration.ofDays(1)).prune(n -> {})));
    }

    private static Arguments use(String name, Use use) {
        return Arguments.of(name, use);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("uses")
    void theRemedyIsNamedOnEveryPath(String name, Use use) {
        PGSimpleDataSource preparing = PgBouncer.shared().preparing(postgres);
        preparing.setPrepareThreshold(1);

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 20; i++) {
                        use.run(preparing);
                    }
                })
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("prepareThreshold=0");
    }

    @Test
    void theDoctorNamesItWithEachRun() {
        PGSimpleDataSource preparing = PgBouncer.shared().preparing(postgres);
        preparing.setPrepareThreshold(1);

        for (int i = 0; i < 5; i++) {
            assertThat(new PostgresDoctor(preparing, Schema.DEFAULT).examine())
                    .filteredOn(finding -> finding.advice().contains("prepareThreshold=0"))
                    .hasSize(1);
        }
    }

    private static void emit(DataSource database) throws SQLException {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            new PostgresOutbox(PostgresOutboxConfig.DEFAULT)
                    .emit(connection, Event.of("shop", "order.placed").build());
            connection.commit();
        }
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
