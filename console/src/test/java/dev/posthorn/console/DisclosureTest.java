package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.privacy.Redaction;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What is hidden from operators and shown to admins, over HTTP. */
class DisclosureTest {

    private static EmbeddedPostgres server;
    private static Scene scene;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        scene = Scene.with(
                server,
                Scene.oneForEachRole(),
                Disclosure.hiding(Redaction.of(List.of("email", "customer.name", "x-user"))));
    }

    @AfterAll
    static void stop() {
        scene.close();
        server.close();
    }

    @Test
    void fieldsOfAPayloadAreHiddenFromOperatorsAndShownToAdmins() {
        String payload =
                "{\"email\":\"ann\", \"customer\":{\"name\":\"Ann\"}, \"name\":\"order\", \"note\":\"to a@b.example\"}";
        String id = scene.emit("orders", "order.placed", "a", payload);

        JsonNode operator = payload(id, Role.OPERATOR);

        assertThat(operator.path("text").asText())
                .isEqualTo(
                        "{\"email\":\"***\",\"customer\":{\"name\":\"***\"},\"name\":\"order\",\"note\":\"to ***\"}");
        assertThat(operator.path("redacted").asBoolean()).isTrue();
        assertThat(payload(id, Role.ADMIN).path("text").asText()).isEqualTo(payload);
        assertThat(payload(id, Role.ADMIN).path("redacted").asBoolean()).isFalse();
    }

    @Test
    void ofWhatCanNotBeLookedIntoOnlyTheSizeIsTold() {
        String broken = insert("'{\"email\": \"ann'", "application/json");
        String binary = insert("'\\xff00fe'", "application/x-thing");
        String claimsToBeText = insert("'{\"email\": \"ann\"}'", "text/plain");

        assertThat(payload(broken, Role.OPERATOR).path("text").asText())
                .contains("bytes")
                .doesNotContain("ann");
        assertThat(payload(binary, Role.OPERATOR).path("text").asText()).isEqualTo("(3 bytes of application/x-thing)");
        assertThat(payload(claimsToBeText, Role.OPERATOR).path("text").asText()).isEqualTo("{\"email\":\"***\"}");
    }

    @Test
    void whatIsEncryptedStaysAsItIs() {
        String hidden = insert("'\\x01ff00fe'", "application/vnd.posthorn.encrypted");

        assertThat(payload(hidden, Role.OPERATOR).path("base64").asText()).isEqualTo("Af8A/g==");
    }

    @Test
    void headersAndDeadLettersAreHiddenLikewise() {
        String id = scene.one(
                "INSERT INTO posthorn.outbox (domain, type, key, payload, headers) VALUES ('orders',"
                        + " 'order.placed', 'dead', '{\"email\": \"ann\", \"total\": 3}', '{\"x-user\": \"ann\", \"h\": \"1\"}') RETURNING id");
        scene.run("INSERT INTO posthorn.detour (route, lane, seq, kind, event_id, key, attempts, last_error)"
                + " SELECT 1, lane, seq, 'FAILED', id, key, 3, 'no queue' FROM posthorn.outbox WHERE id = '" + id
                + "'");

        JsonNode event = scene.get("/v1/events/" + id, Role.OPERATOR).json();
        JsonNode letter =
                scene.get("/v1/dead/" + id, Role.OPERATOR).json().path("dead").get(0);
        JsonNode whole =
                scene.get("/v1/dead/" + id, Role.ADMIN).json().path("dead").get(0);

        assertThat(event.path("headers").toString()).isEqualTo("{\"h\":\"1\",\"x-user\":\"***\"}");
        assertThat(letter.path("headers").path("x-user").asText()).isEqualTo("***");
        assertThat(body(letter)).isEqualTo("{\"email\":\"***\",\"total\":3}");
        assertThat(body(whole)).isEqualTo("{\"email\": \"ann\", \"total\": 3}");
        assertThat(whole.path("headers").path("x-user").asText()).isEqualTo("ann");
    }

    private static JsonNode payload(String id, Role role) {
        return scene.get("/v1/events/" + id + "/payload", role).json();
    }

    private static String insert(String payload, String contentType) {
        return scene.one("INSERT INTO posthorn.outbox (domain, type, payload, content_type) VALUES ('orders', 'odd', "
                + payload + ", '" + contentType + "') RETURNING id");
    }

    private static String body(JsonNode letter) {
        return new String(Base64.getDecoder().decode(letter.path("body_base64").asText()), StandardCharsets.UTF_8);
    }
}
