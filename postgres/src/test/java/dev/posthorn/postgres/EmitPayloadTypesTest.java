package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code posthorn.emit} as people call it by hand: with whatever type the payload has, and with none. */
class EmitPayloadTypesTest {

    private static TestPostgres postgres;
    private static TestRole producer;

    @BeforeAll
    static void createDatabase() throws SQLException {
        postgres = TestPostgres.migrated();
        producer = TestRole.create(postgres, Schema.DEFAULT, RoleKind.PRODUCER);
    }

    @BeforeEach
    void emptyTheLog() throws SQLException {
        postgres.run("TRUNCATE posthorn.outbox");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    '{"b":1,  "a":"ß"}'                                            | {"b":1,  "a":"ß"}
                    '{"b":1,  "a":"ß"}'::text                                      | {"b":1,  "a":"ß"}
                    '{"b":1,  "a":"ß"}'::json                                      | {"b":1,  "a":"ß"}
                    '{"b":1,  "a":"ß"}'::jsonb                                     | {"a": "ß", "b": 1}
                    convert_to('{"b":1}', 'UTF8')                                  | {"b":1}
                    json_build_object('total', 4200)                               | {"total" : 4200}
                    jsonb_build_object('total', 4200)                              | {"total": 4200}
                    to_jsonb(ARRAY[1, 2])                                          | [1, 2]
                    (SELECT row_to_json(o) FROM (SELECT 7 AS n) AS o)              | {"n":7}
                    payload => '{"a":1}'                                           | {"a":1}
                    payload => '{"a":1}'::jsonb                                    | {"a": 1}
                    payload => json_build_object('a', 1), key => 'k'               | {"a" : 1}
                    '{"a":"\\"quoted\\""}', tenant => 'acme'                       | {"a":"\\"quoted\\""}
                    '{"a":1}', 'k'                                                 | {"a":1}
                    '{"a":1}', key => 'k'                                          | {"a":1}
                    '{"a":1}'::jsonb, 'k', headers => '{"h": "v"}'                 | {"a": 1}
                    '{"a":1}'::varchar, correlation_id => 'c'                      | {"a":1}
                    '{"a":1}', 'k', NULL, 7, 'order', '17'                         | {"a":1}
                    """)
    void aProducerEmitsAPayloadOfAnyTypeOrOfNone(String arguments, String stored) throws SQLException {
        // When
        producer.rows("SELECT posthorn.emit('shop', 'order.placed', " + arguments + ")");

        // Then
        assertThat(postgres.rows("SELECT convert_from(payload, 'UTF8'), content_type FROM posthorn.outbox"))
                .containsExactly(stored + "|application/json");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
                    '{"b":1,  "a":"ß"}'                                            | {"b":1,  "a":"ß"}
                    '{"b":1,  "a":"ß"}'::text, 'k'                                 | {"b":1,  "a":"ß"}
                    '{"b":1,  "a":"ß"}'::json, key => 'k'                          | {"b":1,  "a":"ß"}
                    '{"b":1,  "a":"ß"}'::jsonb, tenant => 'acme'                   | {"a": "ß", "b": 1}
                    convert_to('{"b":1}', 'UTF8'), headers => '{"h": "v"}'         | {"b":1}
                    payload => jsonb_build_object('total', 4200)                   | {"total": 4200}
                    """)
    void anIdempotentEmitTakesTheSameTypesAndTellsWhetherItWasTheFirst(String arguments, String stored)
            throws SQLException {
        String call = "SELECT posthorn.emit_once('01890a5d-ac96-774b-bcce-b302099a8057', 'shop', 'order.placed', "
                + arguments + ")";

        assertThat(producer.rows(call)).containsExactly("t");
        assertThat(producer.rows(call)).containsExactly("f");

        assertThat(postgres.rows("SELECT id, convert_from(payload, 'UTF8'), content_type FROM posthorn.outbox"))
                .containsExactly("01890a5d-ac96-774b-bcce-b302099a8057|" + stored + "|application/json");
    }

    @Test
    void allArgumentsMayHaveNames() throws SQLException {
        // When
        producer.rows("SELECT posthorn.emit(domain => 'shop', type => 'order.placed', payload => '{\"a\":1}'::jsonb,"
                + " key => 'order-19', id => '01890a5d-ac96-774b-bcce-b302099a8057', sequence => 1,"
                + " aggregate_type => 'order', aggregate_id => '19', tenant => 'acme', correlation_id => 'request-7',"
                + " causation_id => 'command-7',"
                + " traceparent => '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',"
                + " headers => '{\"source\": \"till\"}', content_type => 'application/vnd.shop+json',"
                + " occurred_at => '2026-01-01T12:00:00Z', deliver_after => '2036-01-01T12:00:00Z')");

        // Then
        assertThat(postgres.rows(
                        "SELECT key, id, sequence, aggregate_type, aggregate_id, tenant, correlation_id, causation_id,"
                                + " headers->>'source', content_type, extract(year FROM occurred_at),"
                                + " extract(year FROM deliver_after) FROM posthorn.outbox"))
                .containsExactly(
                        "order-19|01890a5d-ac96-774b-bcce-b302099a8057|1|order|19|acme|request-7|command-7|till|"
                                + "application/vnd.shop+json|2026|2036");
    }

    /** Before there was a function for text with all arguments, such a literal was taken for bytes. */
    @Test
    void bytesWithoutTheirTypeAreRefusedInsteadOfBeingKeptAsText() {
        assertThatThrownBy(() -> producer.rows("SELECT posthorn.emit('shop', 'paid', '\\x00ff', tenant => 'acme')"))
                .hasMessageContaining("payload is a text that looks like bytea in hex")
                .hasMessageContaining("::bytea");
        assertThatThrownBy(() -> producer.rows(
                        "SELECT posthorn.emit_once(gen_random_uuid(), 'shop', 'paid', '\\x00ff', tenant => 'acme')"))
                .hasMessageContaining("payload is a text that looks like bytea in hex");
    }

    @Test
    void aPayloadThatIsNullIsRefusedWhateverItsType() {
        for (String type : new String[] {"text", "json", "jsonb", "bytea"}) {
            assertThatThrownBy(() -> producer.rows("SELECT posthorn.emit('shop', 'paid', NULL::" + type + ")"))
                    .hasMessageContaining("payload must not be null");
            assertThatThrownBy(() -> producer.rows(
                            "SELECT posthorn.emit_once(gen_random_uuid(), 'shop', 'paid', NULL::" + type + ")"))
                    .hasMessageContaining("payload must not be null");
        }
    }

    @Test
    void aSearchPathOfTheProducerChangesNothing() throws SQLException {
        // Given
        postgres.run(
                "CREATE SCHEMA mine; GRANT USAGE ON SCHEMA mine TO PUBLIC;"
                        + "CREATE FUNCTION mine.convert_to(text, name) RETURNS bytea LANGUAGE sql AS $$ SELECT 'forged'::bytea $$");

        // When
        producer.run("SET search_path = mine, pg_catalog;"
                + "SELECT posthorn.emit('shop', 'a', '1'), posthorn.emit('shop', 'b', '1'::json),"
                + " posthorn.emit('shop', 'c', '1'::jsonb), posthorn.emit_once(gen_random_uuid(), 'shop', 'd', '1')");

        // Then
        assertThat(postgres.rows("SELECT DISTINCT convert_from(payload, 'UTF8') FROM posthorn.outbox"))
                .containsExactly("1");
    }
}
