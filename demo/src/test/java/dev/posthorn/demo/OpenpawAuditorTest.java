package dev.posthorn.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.examples.openpaw.Tables;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A clean run, written by hand, and then spoilt in one way at a time: an auditor that finds nothing proves nothing. */
class OpenpawAuditorTest {

    /** Two versions of one asset at the northern site, with their copies, rewards and points. */
    private static final String CLEAN = """
            INSERT INTO registry.asset_versions (site, asset_id, version, tenant_id, author, event_id, copy_of)
            SELECT 'north', 'a', v, 't', 'ada', ('00000000-0000-0000-0000-00000000000' || v)::uuid, NULL
            FROM generate_series(1, 2) v
            UNION ALL
            SELECT 'south', 'a', v, 't', 'ada', ('00000000-0000-0000-0000-00000000001' || v)::uuid,
                   ('00000000-0000-0000-0000-00000000000' || v)::uuid
            FROM generate_series(1, 2) v;
            INSERT INTO reputation.arrivals (event_id, type, site, asset_id, version)
            SELECT event_id, 'asset.version.created', site, asset_id, version FROM registry.asset_versions
            ORDER BY site, version;
            INSERT INTO reputation.arrivals (event_id, type, site, asset_id, version)
            SELECT gen_random_uuid(), 'reward.settled', 'north', 'a', v FROM generate_series(1, 2) v;
            INSERT INTO rewards.ledger_entries (run_id, tenant_id, author, site, asset_id, version, amount)
            SELECT gen_random_uuid(), 't', 'ada', 'north', 'a', v, 15 - 5 * v FROM generate_series(1, 2) v;
            INSERT INTO reputation.points (site, asset_id, version, what, author, points)
            SELECT 'north', 'a', v, 'version', 'ada', 1 FROM generate_series(1, 2) v
            UNION ALL
            SELECT 'north', 'a', v, 'reward', 'ada', 15 - 5 * v FROM generate_series(1, 2) v;
            """;

    private DemoDatabase database;

    @BeforeEach
    void open() throws SQLException {
        database = DemoDatabase.embedded(4);
        Tables.create(database.pool());
    }

    @AfterEach
    void close() throws SQLException {
        database.close();
    }

    private ExampleFindings auditAfter(String... spoiling) throws SQLException {
        try (Connection connection = database.pool().getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(CLEAN);
            for (String sql : spoiling) {
                statement.execute(sql);
            }
            ExampleFindings found = OpenpawAuditor.audit(connection);
            connection.rollback();
            return found;
        }
    }

    @Test
    void whatIsAsItShouldBeIsClean() throws SQLException {
        ExampleFindings found = auditAfter();

        assertThat(found).isEqualTo(new ExampleFindings(6, 6, 0, 0, 0, 0));
        assertThat(found.isClean()).isTrue();
    }

    @Test
    void everyKindOfTroubleIsFound() throws SQLException {
        assertThat(auditAfter("DELETE FROM reputation.arrivals WHERE type = 'reward.settled' AND version = 2"))
                .as("a reward that did not arrive")
                .isEqualTo(new ExampleFindings(6, 5, 0, 0, 0, 0));
        assertThat(auditAfter("INSERT INTO reputation.arrivals (event_id, type, site, asset_id, version)"
                        + " SELECT gen_random_uuid(), 'asset.version.created', 'north', 'b', 1"))
                .as("an event of no version")
                .isEqualTo(new ExampleFindings(6, 6, 1, 0, 0, 0));
        assertThat(auditAfter("INSERT INTO reputation.arrivals (event_id, type, site, asset_id, version)"
                        + " SELECT event_id, type, site, asset_id, version FROM reputation.arrivals WHERE site = 'south'"
                        + " AND version = 2"))
                .as("an effect that happened twice")
                .isEqualTo(new ExampleFindings(6, 6, 0, 1, 0, 0));
        assertThat(auditAfter("INSERT INTO rewards.ledger_entries SELECT * FROM rewards.ledger_entries"
                                + " WHERE version = 1")
                        .twice())
                .as("a reward that was paid twice")
                .isEqualTo(1);
        assertThat(auditAfter("UPDATE reputation.arrivals SET event_id = ('00000000-0000-0000-0000-00000000000'"
                                + " || 3 - version)::uuid, version = 3 - version"
                                + " WHERE type = 'asset.version.created' AND site = 'north'")
                        .outOfOrder())
                .as("the second version before the first")
                .isEqualTo(1);
        assertThat(auditAfter("DELETE FROM reputation.points WHERE what = 'reward' AND version = 1")
                        .amiss())
                .as("a reward without its points")
                .isEqualTo(1);
        assertThat(auditAfter("UPDATE rewards.ledger_entries SET amount = 7 WHERE version = 1")
                        .amiss())
                .as("a reward of another amount")
                .isEqualTo(1);
    }

    @Test
    void aCopyOfACopyIsInvented() throws SQLException {
        ExampleFindings found = auditAfter(
                "INSERT INTO registry.asset_versions (site, asset_id, version, tenant_id, author, event_id, copy_of)"
                        + " VALUES ('north', 'a', 3, 't', 'ada', '00000000-0000-0000-0000-000000000021',"
                        + " '00000000-0000-0000-0000-000000000011')",
                "INSERT INTO reputation.arrivals (event_id, type, site, asset_id, version) VALUES"
                        + " ('00000000-0000-0000-0000-000000000021', 'asset.version.created', 'north', 'a', 3)");

        assertThat(found.invented()).isEqualTo(1);
        assertThat(found.isClean()).isFalse();
    }
}
