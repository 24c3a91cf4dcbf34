package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.embeddedbrokers.EmbeddedPubSub;
import dev.posthorn.embeddedbrokers.EmbeddedSnsSqs;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Relay processes on Pub/Sub and SNS that have a profile and the variables of its design, read by the services' own clients. */
@Tag("slow")
@Timeout(300)
class ProfiledCloudRelayTest {

    private static final String EVENT = "5f0c6a52-0000-4000-8000-00000000000e";

    @TempDir
    private Path folder;

    private final ProfiledSystem system = new ProfiledSystem();

    @AfterEach
    void stop() {
        system.close();
    }

    @Test
    void licensesPublishesToItsTopicWhatTheShippedRegistryAllows() {
        Assumptions.assumeTrue(EmbeddedPubSub.isInstalled(), "there is no emulator of Pub/Sub on this machine");
        system.views("licenses");
        try (EmbeddedPubSub emulator = EmbeddedPubSub.start()) {
            ForeignPubSub client = new ForeignPubSub(emulator.address(), "packfinderz").topic("pf-events-of-today");
            Map<String, String> variables = Map.of(
                    "GOOGLE_CLOUD_PROJECT", "packfinderz",
                    "PUBSUB_EMULATOR_HOST", emulator.address(),
                    "PACKFINDERZ_PUBSUB_DOMAIN_TOPIC", "pf-events-of-today",
                    "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "100");
            try (StartedRelay relay = new StartedRelay(variables, system.config(folder, "licenses")).untilStarted(1)) {
                license("no_such_type", "null");
                license("license_status_changed", "null");
                license("license_status_changed", "{\"licenseId\": \"L-1\", \"storeId\": \"S-1\"}");
                String stored = license(
                        "license_status_changed",
                        "{\"licenseId\": \"L-1\", \"storeId\": \"S-1\", \"status\": \"verified\"}");

                List<ForeignPubSub.Message> got = new ArrayList<>();
                relay.await("the message", () -> got.addAll(client.pull("pf-events-of-today")) || !got.isEmpty());
                relay.await(
                        "three dead",
                        () -> system.one("SELECT count(*) FROM posthorn.dead").equals("3"));

                assertThat(got).singleElement().satisfies(message -> {
                    assertThat(message.body()).isEqualTo(stored);
                    assertThat(message.attributes())
                            .containsEntry("event_type", "license_status_changed")
                            .containsEntry("aggregate_type", "license")
                            .containsEntry("aggregate_id", "L-1")
                            .containsKeys("event_id", "created_at");
                });
                assertThat(system.one("SELECT last_error FROM outbox_events WHERE event_type = 'no_such_type'"))
                        .contains("\"no_such_type\" is not in the registry");
            }
        }
    }

    @Test
    void aTypeThatNamesItsTopicGoesThere() throws Exception {
        Assumptions.assumeTrue(EmbeddedPubSub.isInstalled(), "there is no emulator of Pub/Sub on this machine");
        system.views("licenses");
        Path types = Files.writeString(folder.resolve("types.yaml"), """
                types:
                  - {domain: licenses, type: license_status_changed}
                  - {domain: licenses, type: license_expired, topic: '{prefix}-expired'}
                """);
        try (EmbeddedPubSub emulator = EmbeddedPubSub.start()) {
            ForeignPubSub client = new ForeignPubSub(emulator.address(), "packfinderz")
                    .topic("pf-domain-events")
                    .topic("pf-expired");
            Map<String, String> variables =
                    Map.of("GOOGLE_CLOUD_PROJECT", "packfinderz", "PUBSUB_EMULATOR_HOST", emulator.address());
            Path config = system.config(folder, "licenses\nregistry: {file: '" + types + "'}");
            try (StartedRelay relay = new StartedRelay(variables, config).untilStarted(1)) {
                String changed = license("license_status_changed", "{\"number\": 1}");
                String expired = license("license_expired", "{\"number\": 2}");

                List<ForeignPubSub.Message> apart = new ArrayList<>();
                List<ForeignPubSub.Message> all = new ArrayList<>();
                relay.await("its topic", () -> apart.addAll(client.pull("pf-expired")) || !apart.isEmpty());
                relay.await("the topic of all", () -> all.addAll(client.pull("pf-domain-events")) || !all.isEmpty());

                assertThat(apart).extracting(ForeignPubSub.Message::body).containsExactly(expired);
                assertThat(all).extracting(ForeignPubSub.Message::body).containsExactly(changed);
            }
        }
    }

    @Test
    void transfersPublishesTheEnvelopeOfTheDesignToItsTopic() throws Exception {
        EmbeddedSnsSqs.obstacle().ifPresent(why -> Assumptions.abort("there is no emulator of SNS and SQS: " + why));
        system.views("transfers");
        try (EmbeddedSnsSqs broker = EmbeddedSnsSqs.start();
                ForeignSqs client = new ForeignSqs(broker)) {
            String topic = client.topic("events-transfers.fifo");
            String queue = client.queue("gateway-usdc.fifo", topic);
            Map<String, String> variables = Map.of(
                    "PG_DSN",
                    system.words(),
                    "SNS_ARN",
                    topic,
                    "AWS_REGION",
                    "us-east-1",
                    "AWS_ENDPOINT_URL",
                    broker.endpoint().toString(),
                    "AWS_ACCESS_KEY_ID",
                    "test",
                    "AWS_SECRET_ACCESS_KEY",
                    "test");
            Path config = ProfiledSystem.file(folder, "profile: transfers\nhttp: {address: '127.0.0.1:0'}\n");
            try (StartedRelay relay = new StartedRelay(variables, config).untilStarted(1)) {
                submit();
                List<ForeignSqs.Received> got = new ArrayList<>();
                relay.await("the message", () -> got.addAll(client.receive(queue)) || !got.isEmpty());

                assertThat(got.get(0).group()).isEqualTo("tr_test_123");
                assertThat(got.get(0).deduplication()).isEqualTo(EVENT);
                JsonNode message = new ObjectMapper().readTree(got.get(0).message());
                assertThat(message.path("envelope").path("eventId").asText()).isEqualTo(EVENT);
                assertThat(message.path("envelope").path("type").asText()).isEqualTo("events.transfers.submitted.usdc");
                assertThat(message.path("key").path("transferId").asText()).isEqualTo("tr_test_123");
                assertThat(message.path("payload").path("amount").path("value").asText())
                        .isEqualTo("10.00");
                relay.await("SENT", () -> system.one("SELECT state FROM outbox").equals("SENT"));
            }
        }
    }

    /** The INSERT of the design's wire test. */
    private void submit() {
        system.run(
                "INSERT INTO outbox (id, eventType, payload) VALUES (gen_random_uuid(), 'events.transfers.submitted.usdc',"
                        + " jsonb_build_object('envelope', jsonb_build_object('v',1,'eventId', '" + EVENT
                        + "', 'occurredAt', now(), 'tenantId','tnt_demo','type','events.transfers.submitted.usdc'),"
                        + " 'key', jsonb_build_object('transferId','tr_test_123'),"
                        + " 'payload', jsonb_build_object('amount', jsonb_build_object('value','10.00','currency','USD'))))");
    }

    /** Returns the payload as it is stored. */
    private String license(String type, String payload) {
        system.run("INSERT INTO outbox_events (event_type, aggregate_type, aggregate_id, payload_json) VALUES ('" + type
                + "', 'license', 'L-1', '" + payload + "')");
        return system.one("SELECT convert_from(payload, 'UTF8') FROM posthorn.outbox ORDER BY seq DESC LIMIT 1");
    }
}
