package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

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
    void aForgedSeqIsRefused() {
        assertThatThrownBy(() ->
                        postgres.run("INSERT INTO posthorn.outbox (domain, type, seq) VALUES ('shop', 'placed', 7)"))
                .isInstanceOfSatisfying(
                        SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("428C9"));
    }

    /** Only the owner can name it at all; roles have no right to. */
    @Test
    void aForgedLaneIsReplaced() throws SQLException {
        // When
        postgres.run("INSERT INTO posthorn.outbox (domain, type, key, lane) SELECT 'shop', 'placed', 'k' || i, 7"
                + " FROM generate_series(1, 200) i");

        // Then
        assertThat(postgres.rows("SELECT count(DISTINCT lane), bool_and(lane = posthorn.lane_of(key, id))"
                        + " FROM posthorn.outbox"))
                .containsExactly("16|t");
    }

    @Test
    void aSearchPathOfTheProducerChangesNeitherLaneNorRules() throws SQLException {
        // Given
        postgres.run("CREATE SCHEMA mine");
        postgres.run("CREATE FUNCTION mine.hashtextextended(text, bigint) RETURNS bigint LANGUAGE sql IMMUTABLE"
                + " RETURN 3");
        postgres.run("CREATE FUNCTION mine.octet_length(text) RETURNS int LANGUAGE sql IMMUTABLE RETURN 1");

        // When
        postgres.run("SET search_path = mine, pg_catalog; INSERT INTO posthorn.outbox (domain, type, key)"
                + " SELECT 'shop', 'placed', 'k' || i FROM generate_series(1, 200) i");

        // Then
        assertThat(postgres.rows("SELECT count(DISTINCT lane) FROM posthorn.outbox"))
                .containsExactly("16");
        assertThatThrownBy(() -> postgres.run("SET search_path = mine, pg_catalog; INSERT INTO posthorn.outbox"
                        + " (domain, type, key) VALUES ('shop', 'placed', repeat('x', 1001))"))
                .hasMessageContaining("outbox_key_valid");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '"', textBlock = """
                    domain         | 'no spaces'           | outbox_domain_valid    | A domain has 1 to 200 letters
                    domain         | repeat('x', 201)      | outbox_domain_valid    | A domain has 1 to 200 letters
                    type           | ''                    | outbox_type_valid      | A type has 1 to 200 letters
                    key            | ''                    | outbox_key_valid       | A key has 1 to 1000 bytes
                    key            | repeat('x', 1001)     | outbox_key_valid       | A key has 1 to 1000 bytes
                    aggregate_id   | repeat('x', 1001)     | outbox_aggregate_valid | at most 1000 bytes
                    aggregate_type | repeat('x', 1001)     | outbox_aggregate_valid | at most 1000 bytes
                    headers        | '[]'                  | outbox_headers_valid   | Headers are a JSON object
                    occurred_at    | 'infinity'            | outbox_times_valid     | within the years 1 to 9999
                    deliver_after  | '10000-01-01Z'        | outbox_times_valid     | within the years 1 to 9999
                    payload        | decode(repeat('00', 67108865), 'hex') | outbox_payload_size | at most 64 MiB
                    """)
    void whatTheJavaRulesRefuseTheTableRefusesTooAndSaysWhy(String column, String value, String rule, String hint) {
        Map<String, String> row = new LinkedHashMap<>(Map.of("domain", "'shop'", "type", "'placed'"));
        row.put(column, value);

        assertThatThrownBy(() -> postgres.run("INSERT INTO posthorn.outbox (" + String.join(", ", row.keySet())
                        + ") VALUES (" + String.join(", ", row.values()) + ")"))
                .isInstanceOfSatisfying(PSQLException.class, error -> {
                    ServerErrorMessage said = Objects.requireNonNull(error.getServerErrorMessage());
                    assertThat(said.getSQLState()).isEqualTo("23514");
                    assertThat(said.getConstraint()).isEqualTo(rule);
                    assertThat(said.getHint()).contains(hint);
                });
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
