package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What producers in other languages do. */
class ProducersInSqlTest {

    private static TestPostgres postgres;

    @BeforeAll
    static void createDatabase() {
        postgres = TestPostgres.migrated();
    }

    @BeforeEach
    void emptyTheLog() throws SQLException {
        postgres.run("TRUNCATE posthorn.outbox");
    }

    @Test
    void aPlainInsertNeedsOnlyDomainAndType() throws SQLException {
        // When
        postgres.run("INSERT INTO posthorn.outbox (domain, type, key, payload) VALUES ('shop', 'placed', 'o-1', '{}')");

        // Then
        assertThat(postgres.rows("SELECT substring(id::text FROM 15 FOR 1), lane BETWEEN 0 AND 15, content_type,"
                        + " abs(extract(epoch FROM clock_timestamp() - created_at)) < 60 FROM posthorn.outbox"))
                .containsExactly("7|t|application/json|t");
    }

    @Test
    void emitTakesBytesOrTextAndReturnsTheId() throws SQLException {
        // When
        List<String> fromText = postgres.rows("SELECT posthorn.emit('shop', 'placed', '{\"a\": \"ß\"}', 'o-1')");
        List<String> fromBytes = postgres.rows("SELECT posthorn.emit('shop', 'paid', '\\x00ff'::bytea,"
                + " tenant => 'acme', headers => '{\"h\": \"v\"}', content_type => 'application/x-raw')");

        // Then
        assertThat(postgres.rows("SELECT id, type, key, encode(payload, 'hex'), tenant, headers->>'h'"
                        + " FROM posthorn.outbox ORDER BY seq"))
                .containsExactly(
                        fromText.get(0) + "|placed|o-1|7b2261223a2022c39f227d||",
                        fromBytes.get(0) + "|paid||00ff|acme|v");
    }

    @Test
    void theSameKeyHasTheSameLaneHoweverItIsWritten() throws SQLException {
        // When
        postgres.run("INSERT INTO posthorn.outbox (domain, type, key) SELECT 'shop', 'a', 'k' || i"
                + " FROM generate_series(1, 200) i");
        postgres.rows("SELECT posthorn.emit('shop', 'b', '{}', 'k' || i) FROM generate_series(1, 200) i");

        // Then
        assertThat(postgres.rows("SELECT key FROM posthorn.outbox GROUP BY key HAVING count(DISTINCT lane) > 1"))
                .isEmpty();
        assertThat(postgres.rows("SELECT count(DISTINCT lane) FROM posthorn.outbox"))
                .containsExactly("16");
    }

    @Test
    void aForgedSeqOrLaneIsRefused() {
        assertThatThrownBy(() ->
                        postgres.run("INSERT INTO posthorn.outbox (domain, type, seq) VALUES ('shop', 'placed', 7)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("428C9"));
        assertThatThrownBy(() ->
                        postgres.run("INSERT INTO posthorn.outbox (domain, type, lane) VALUES ('shop', 'placed', 7)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("428C9"));
    }

    @Test
    void whatTheJavaRulesRefuseTheTableRefusesToo() {
        for (String values : List.of(
                "'no spaces', 'placed', 'k', '{}'",
                "'shop', '', 'k', '{}'",
                "'shop', 'placed', '', '{}'",
                "'shop', 'placed', 'k', '[]'")) {
            assertThatThrownBy(() -> postgres.run(
                            "INSERT INTO posthorn.outbox (domain, type, key, headers) VALUES (" + values + ")"))
                    .isInstanceOfSatisfying(
                            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("23514"));
        }
    }

    @Test
    void aRepeatedIdIsOneEventIfTheProducerSaysSo() throws SQLException {
        // When
        for (int i = 0; i < 2; i++) {
            postgres.run("INSERT INTO posthorn.outbox (id, domain, type) VALUES"
                    + " ('01890a5d-ac96-774b-bcce-b302099a8057', 'shop', 'placed') ON CONFLICT DO NOTHING");
        }

        // Then
        assertThat(postgres.rows("SELECT id FROM posthorn.outbox")).hasSize(1);
    }
}
