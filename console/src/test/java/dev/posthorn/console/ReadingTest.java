package dev.posthorn.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.console.Scene.Reply;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What can be looked at. */
class ReadingTest {

    private static EmbeddedPostgres server;
    private Scene scene;

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void open() {
        scene = Scene.with(server, Scene.oneForEachRole());
    }

    @AfterEach
    void close() {
        scene.close();
    }

    @Test
    void aSessionTellsWhoOneIsAndWhatOneMayDo() {
        JsonNode session = scene.get("/v1/session", Role.OPERATOR).json();

        assertThat(session.path("name").asText()).isEqualTo("operator-ann");
        assertThat(session.path("role").asText()).isEqualTo("operator");
        assertThat(session.path("can").toString())
                .contains("read", "payloads", "operate")
                .doesNotContain("admin");
        assertThat(session.path("version").asText()).isEqualTo("1.2.3");
    }

    @ParameterizedTest
    @CsvSource({
        "/v1/status, routes",
        "/v1/routes, routes",
        "/v1/relays, relays",
        "/v1/lanes, lanes",
        "/v1/consumers, consumers",
        "/v1/events, events",
        "/v1/dead, dead",
        "/v1/dead/groups, groups",
        "/v1/replays, replays",
        "/v1/audit, actions",
        "/v1/doctor, findings",
        "/v1/overview, troubles",
        "/v1/history, points"
    })
    void everyListIsThereEvenIfItIsEmpty(String path, String name) {
        Reply reply = scene.get(path, Role.VIEWER);

        assertThat(reply.code()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().path(name).isArray()).as(reply.body()).isTrue();
        assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
    }

    @Test
    void eventsAreFoundByWhatTheyAreAndPagedBackwards() {
        for (int i = 0; i < 7; i++) {
            scene.emit("orders", "order.placed", "k" + i % 2, "{}");
        }
        scene.emit("parcels", "parcel.lost", "k1", "{}");

        assertThat(ids("/v1/events")).hasSize(8);
        assertThat(ids("/v1/events?domain=orders")).hasSize(7);
        assertThat(ids("/v1/events?key=k1")).hasSize(4);
        assertThat(ids("/v1/events?key=k1&type=order.placed")).hasSize(3);
        assertThat(ids("/v1/events?state=pending")).hasSize(8);
        assertThat(ids("/v1/events?state=SENT")).isEmpty();
        assertThat(paged("/v1/events?limit=3")).isEqualTo(ids("/v1/events"));
        assertThat(paged("/v1/events?domain=orders&limit=2")).isEqualTo(ids("/v1/events?domain=orders"));
        assertThat(paged("/v1/events?key=k1&limit=1")).isEqualTo(ids("/v1/events?key=k1"));
    }

    @Test
    void anEventIsToldWithItsEnvelopeAndHeadersForOperatorsOnly() {
        String id = scene.dieOnRoute("a", "no queue 7");

        JsonNode whole = scene.get("/v1/events/" + id, Role.OPERATOR).json();
        JsonNode redacted = scene.get("/v1/events/" + id, Role.VIEWER).json();

        assertThat(whole.path("payload_size").asInt()).isEqualTo(6);
        assertThat(whole.path("content_type").asText()).isEqualTo("application/json");
        assertThat(whole.path("headers").path("h").asText()).isEqualTo("hidden");
        assertThat(whole.path("routes").get(0).path("state").asText()).isEqualTo("FAILED");
        assertThat(whole.path("story").toString()).contains("emitted", "dead");
        assertThat(redacted.toString()).doesNotContain("hidden").contains("\"redacted\":true");
        assertThat(scene.get("/v1/events/" + UUID.randomUUID()).code()).isEqualTo(404);
        assertThat(scene.get("/v1/events/nonsense").code()).isEqualTo(400);
    }

    @Test
    void aPayloadIsTextOrBase64AndNeverLongerThanItsLimit() {
        String text = scene.emit("orders", "order.placed", "a", "{\"grüße\": 1}");
        String binary = scene.one(
                "INSERT INTO posthorn.outbox (domain, type, payload) VALUES ('a', 'b', '\\xff00fe') RETURNING id");
        String large = scene.one(
                "INSERT INTO posthorn.outbox (domain, type, payload) VALUES ('a', 'b', convert_to(repeat('aü', 200000), 'UTF8')) RETURNING id");

        assertThat(scene.get("/v1/events/" + text + "/payload")
                        .json()
                        .path("text")
                        .asText())
                .isEqualTo("{\"grüße\": 1}");
        assertThat(scene.get("/v1/events/" + binary + "/payload")
                        .json()
                        .path("base64")
                        .asText())
                .isEqualTo("/wD+");
        JsonNode cut = scene.get("/v1/events/" + large + "/payload").json();
        assertThat(cut.path("truncated").asBoolean()).isTrue();
        assertThat(cut.path("size").asInt()).isEqualTo(600_000);
        assertThat(cut.path("text").asText()).hasSizeBetween(170_000, 175_000).startsWith("aüaü");
    }

    @Test
    void aKeyMayHaveAnyCharacters() {
        scene.emit("orders", "order.placed", "a/b c+d?e%ü", "{}");

        JsonNode key = scene.get("/v1/keys/a%2Fb%20c+d%3Fe%25%C3%BC").json();

        assertThat(key.path("key").asText()).isEqualTo("a/b c+d?e%ü");
        assertThat(key.path("events")).hasSize(1);
    }

    @Test
    void deadLettersAreFilteredGroupedPagedAndRedactedForViewers() {
        List<String> died = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            died.add(scene.dieOnRoute("a" + i, "no queue " + i));
        }
        String letter = scene.dieInConsumer("no account 815");

        assertThat(scene.get("/v1/dead").json().path("dead")).hasSize(5);
        assertThat(scene.get("/v1/dead?station=route").json().path("dead")).hasSize(4);
        assertThat(scene.get("/v1/dead?station=consumer").json().path("dead")).hasSize(1);
        assertThat(scene.get("/v1/dead?consumer=billing&cause=rejected&from=2020-01-01T00:00:00Z")
                        .json()
                        .path("dead"))
                .hasSize(1);
        assertThat(scene.get("/v1/dead/groups")
                        .json()
                        .path("groups")
                        .get(0)
                        .path("count")
                        .asInt())
                .isEqualTo(4);
        assertThat(pagedDead("/v1/dead?limit=2"))
                .hasSize(5)
                .startsWith(died.get(0))
                .endsWith(letter);
        assertThat(scene.get("/v1/dead/" + letter, Role.OPERATOR).body()).contains("body_base64", "hidden");
        assertThat(scene.get("/v1/dead/" + letter, Role.VIEWER).body())
                .doesNotContain("body_base64")
                .doesNotContain("hidden");
        assertThat(scene.get("/v1/dead/" + UUID.randomUUID()).code()).isEqualTo(404);
        assertThat(scene.get("/v1/dead?after=rubbish").code()).isEqualTo(400);
    }

    @Test
    void theOverviewNamesWhatIsWrongAndWhatToDo() {
        scene.dieOnRoute("a", "no queue 7");
        scene.memberOfBilling();
        scene.emit("orders", "order.placed", "a", "{}");

        JsonNode overview = scene.overviewFromNow();

        assertThat(overview.path("troubles").findValuesAsText("what"))
                .contains("No relay runs for route main", "1 dead letter on route main");
        overview.path("troubles").forEach(trouble -> {
            assertThat(trouble.path("command").asText()).startsWith("posthorn ");
            assertThat(trouble.path("link").asText()).startsWith("#/");
        });
        assertThat(overview.path("totals").path("dead").asInt()).isEqualTo(1);
        assertThat(overview.path("totals").path("waiting").asInt()).isPositive();
        assertThat(overview.path("routes").get(0).path("route").asText()).isEqualTo("main");
    }

    @Test
    void routesTellTheirBacklog() {
        scene.emit("orders", "order.placed", "a", "{}");

        JsonNode route = scene.get("/v1/routes").json().path("routes").get(0);

        assertThat(route.path("name").asText()).isEqualTo("main");
        assertThat(route.path("lanes").asInt()).isPositive();
        assertThat(route.path("waiting_is_exact").asBoolean()).isTrue();
    }

    @Test
    void theRegistryIsToldAsTheProcessHasIt() {
        JsonNode registry = scene.get("/v1/registry", Role.VIEWER).json();

        assertThat(registry.path("mode").asText()).isEqualTo("strict");
        assertThat(registry.at("/types/0/type").asText()).isEqualTo("order.placed");
    }

    @Test
    void aProcessWithoutAnArchiveSaysSo() {
        assertThat(scene.get("/v1/archive").code()).isEqualTo(404);
        assertThat(scene.get("/v1/archive").body()).contains("retention.archive");
    }

    private List<String> ids(String path) {
        return scene.get(path).json().path("events").findValuesAsText("id");
    }

    private List<String> paged(String path) {
        List<String> all = new ArrayList<>();
        String before = "";
        do {
            JsonNode page = scene.get(path + before).json();
            all.addAll(page.path("events").findValuesAsText("id"));
            before = page.path("next").isNull()
                    ? ""
                    : "&before=" + page.path("next").asText();
        } while (!before.isEmpty());
        return all;
    }

    private List<String> pagedDead(String path) {
        List<String> all = new ArrayList<>();
        String after = "";
        do {
            JsonNode page = scene.get(path + after).json();
            all.addAll(page.path("dead").findValuesAsText("id"));
            after = page.path("next").isNull()
                    ? ""
                    : "&after=" + page.path("next").asText();
        } while (!after.isEmpty());
        return all;
    }
}
