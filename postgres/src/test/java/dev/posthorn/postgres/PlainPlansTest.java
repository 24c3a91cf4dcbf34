package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.relay.RouteFilter;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whoever brings the planner settings along sends one statement for each look; for everybody else they are sent. */
class PlainPlansTest {

    /** Whether it runs in the transaction that brings the settings, and whether they are in force. */
    private static final String HOW =
            "SELECT current_setting('transaction_read_only') = 'on', " + PlainPlans.IN_FORCE + ", 50 % 8";

    private final TestPostgres postgres = TestPostgres.migrated();
    private final HikariDataSource pool = new HikariDataSource();
    private final Connections connections = new Connections(pool, Duration.ofSeconds(10));

    @BeforeEach
    void usePool() {
        pool.setDataSource(postgres.dataSource());
        pool.setMaximumPoolSize(1);
    }

    @AfterEach
    void closePool() {
        pool.close();
    }

    @Test
    void connectionsThatHaveThemReadWithOneStatement() throws SQLException {
        postgres.dataSource().setOptions(PostgresRelayStores.connectionOptions());
        connections.askForPlans();

        assertThat(read()).containsExactly(false, true);
        assertThat(first()).containsExactly(false, true);
    }

    @Test
    void otherConnectionsAreSentThem() throws SQLException {
        connections.askForPlans();

        assertThat(read()).containsExactly(true, true);
        assertThat(first()).containsExactly(false, true);
    }

    @Test
    void theyAreSentFromWhenAReadWentWithoutThem() throws SQLException {
        postgres.dataSource().setOptions(PostgresRelayStores.connectionOptions());
        connections.askForPlans();
        connections.foundPlans(true);
        assertThat(read()).containsExactly(false, true);

        connections.foundPlans(false);
        connections.foundPlans(true);

        assertThat(read()).containsExactly(true, true);
    }

    @Test
    void aReadOfTheLogFindsOutThatTheyAreMissing() throws SQLException {
        postgres.dataSource().setOptions(PostgresRelayStores.connectionOptions());
        connections.askForPlans();
        try (Connection changed = pool.getConnection()) {
            TestPostgres.run(changed, "SET enable_seqscan = on");
        }

        new PostgresLog(connections, Schema.DEFAULT, new StoredRoute((short) 1, RouteFilter.all(), false))
                .readWindows(List.of());

        assertThat(read()).containsExactly(true, true);
    }

    @Test
    void theyAreGoneWhenTheTransactionEnds() throws SQLException {
        connections.askForPlans();
        first();

        boolean inForce = connections.change("look", "SELECT " + PlainPlans.IN_FORCE, bind -> {}, rows -> {
            rows.next();
            return rows.getBoolean(1);
        });

        assertThat(inForce).isFalse();
    }

    private List<Boolean> read() {
        return connections.read("look", HOW, bind -> {}, rows -> {
            rows.next();
            return List.of(rows.getBoolean(1), rows.getBoolean(2));
        });
    }

    private List<Boolean> first() throws SQLException {
        return connections.transaction(
                "look",
                connection -> connections.first(connection, HOW, bind -> {}, rows -> {
                    rows.next();
                    return List.of(rows.getBoolean(1), rows.getBoolean(2));
                }));
    }
}
