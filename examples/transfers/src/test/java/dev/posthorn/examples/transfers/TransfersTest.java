package dev.posthorn.examples.transfers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresDeadEvents;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transports.snssqs.SnsSqsTransport;
import java.io.IOException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.sqs.SqsClient;
import software.amazon.awssdk.services.sqs.model.Message;

/** What the design says, on an emulator of SNS and SQS, read with Amazon's client and with SQL. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("exact")
class TransfersTest {

    private static final Set<UUID> REFUSED = ConcurrentHashMap.newKeySet();

    private static Bank bank;
    private static SnsSqsTransport transport;
    private static Services services;
    private static Relay relay;
    private static SqsClient sqs;

    @BeforeAll
    static void start() throws SQLException {
        bank = Bank.open();
        transport = bank.transport();
        Gateway gateway = new Gateway(Services.calls(bank.pool()), new RailInPostgres(bank.pool()), bank.outbox());
        services = Services.start(transport, bank.pool(), bank.cts(), gateway, (service, handler) -> handler);
        relay = Profile.relay(bank.pool(), new Refusing(transport.publisher()), "test", Profile.ladder());
        sqs = SqsClient.builder()
                .endpointOverride(bank.broker().endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build();
    }

    @AfterAll
    static void stop() {
        if (bank != null) {
            relay.close();
            services.close();
            transport.close();
            sqs.close();
            bank.close();
        }
    }

    /** Refuses some events as a topic would that does not like them. */
    private record Refusing(Publisher topic) implements Publisher {

        @Override
        public void publish(List<? extends Publication> publications) {
            List<Publication> liked = new ArrayList<>();
            for (Publication publication : publications) {
                if (REFUSED.contains(publication.event().id())) {
                    publication.settle(Outcome.refused("the topic does not like it"));
                } else {
                    liked.add(publication);
                }
            }
            topic.publish(liked);
        }

        @Override
        public void close() {
            topic.close();
        }
    }

    private static Transfer transfer() {
        return new Transfer("tr_" + UUID.randomUUID(), "tnt_123", "100.00", "payer-abc", "0xfeed");
    }

    private static UUID submit(Transfer transfer) throws SQLException {
        return bank.submit(transfer);
    }

    private static String one(String sql) {
        return bank.one(sql);
    }

    private static void awaitSettled(String transfer) {
        Await.within(
                Duration.ofSeconds(60),
                () -> "settled everywhere: " + relay.status(),
                () -> one("SELECT state FROM projections.dashboard WHERE transfer_id = '" + transfer + "'"
                                        + " UNION ALL SELECT 'none' LIMIT 1")
                                .equals("settled")
                        && one("SELECT state FROM cts.transfer WHERE id = '" + transfer + "' UNION ALL SELECT 'none'"
                                        + " LIMIT 1")
                                .equals("settled")
                        && one("SELECT count(*) FROM ledger.entry WHERE transfer_id = '" + transfer + "'")
                                .equals("6"));
    }

    @Test
    void aTransferIsSubmittedOnTheRailOnceAndSettledEverywhere() throws SQLException {
        Transfer transfer = transfer();
        UUID event = submit(transfer);

        awaitSettled(transfer.id());

        String of = " WHERE transfer_id = '" + transfer.id() + "'";
        assertThat(one("SELECT string_agg(what, ' ' ORDER BY n) FROM projections.timeline" + of))
                .isEqualTo("submitted.usdc accepted settled");
        assertThat(one("SELECT string_agg(what, ' ' ORDER BY n) FROM cts.timeline" + of))
                .isEqualTo("submitted accepted settled");
        assertThat(one("SELECT idempotency_key || ' ' || calls FROM rail.payment" + of))
                .isEqualTo(event + " 1");
        assertThat(one("SELECT sum(amount) FROM ledger.entry" + of)).isEqualTo("0.00");
        assertThat(one("SELECT amount FROM ledger.entry" + of + " AND account = '0xfeed'"))
                .isEqualTo("100.00");
        assertThat(one("SELECT reference = (SELECT reference FROM rail.payment" + of + ") FROM gateway.submission"
                        + of))
                .isEqualTo("t");
    }

    @Test
    void aFailedRowIsRedrivenByItsEventId() throws SQLException {
        Transfer transfer = transfer();
        UUID event;
        try (Connection connection = bank.pool().getConnection()) {
            connection.setAutoCommit(false);
            event = bank.cts().submit(connection, transfer);
            REFUSED.add(event);
            connection.commit();
        }
        String row = " FROM transfers.outbox WHERE id = '" + event + "'";
        Await.until("it is FAILED", () -> one("SELECT state" + row).equals("FAILED"));
        assertThat(one("SELECT lastError" + row)).contains("does not like it");

        REFUSED.remove(event);
        new PostgresDeadEvents(bank.pool(), Schema.DEFAULT).redrive(Profile.ROUTE, event, "the topic likes it now");

        awaitSettled(transfer.id());
        assertThat(one("SELECT state" + row)).isEqualTo("SENT");
        assertThat(one("SELECT calls FROM rail.payment WHERE transfer_id = '" + transfer.id() + "'"))
                .isEqualTo("1");
    }

    @Test
    void theMessageIsTheEnvelopeAsTheDesignsOwnConsumerReadsIt() throws Exception {
        String queue = sqs.createQueue(request -> request.queueName("probe-" + UUID.randomUUID() + ".fifo")
                        .attributesWithStrings(Map.of("FifoQueue", "true")))
                .queueUrl();
        subscribe(queue);
        Transfer transfer = transfer();
        UUID event = submit(transfer);

        JsonNode message = next(queue, event);

        assertThat(message.path("envelope").path("v").asInt()).isEqualTo(1);
        assertThat(message.path("envelope").path("type").asText()).isEqualTo("events.transfers.submitted.usdc");
        assertThat(message.path("envelope").path("tenantId").asText()).isEqualTo("tnt_123");
        assertThat(message.path("key").path("transferId").asText()).isEqualTo(transfer.id());
        assertThat(message.path("payload").path("amount").path("value").asText())
                .isEqualTo("100.00");
    }

    @Test
    void theBareMessageOfTheDesignsOwnDispatcherIsReceivedLikeAnyEvent() {
        List<Event> received = new java.util.concurrent.CopyOnWriteArrayList<>();
        UUID id = UUID.randomUUID();
        String bare = "{\"envelope\": {\"v\": 1, \"eventId\": \"" + id + "\", \"occurredAt\":"
                + " \"2025-08-26T10:15:01.5+00:00\", \"tenantId\": \"tnt_demo\", \"type\":"
                + " \"events.transfers.submitted.usdc\"}, \"key\": {\"transferId\": \"tr_bare\"}, \"payload\":"
                + " {\"amount\": {\"value\": \"10.00\"}}}";
        var bus = dev.posthorn.codecs.Envelopes.aroundShared(transport, Envelope.FORM);
        var subscriber = dev.posthorn.transport.Subscriber.named("bare-" + id).domains(Envelope.TRANSFERS);
        try (var subscription = bus.subscribe(subscriber, delivery -> {
            received.add(delivery.event());
            delivery.settle(dev.posthorn.transport.Verdict.done());
        })) {
            Await.until(
                    "it is subscribed", () -> subscription.status().trouble().isEmpty());
            Await.until("it is received", () -> {
                publishBare(bare, id.toString());
                return received.stream().anyMatch(event -> event.id().equals(id));
            });
        }

        Event event =
                received.stream().filter(one -> one.id().equals(id)).findFirst().orElseThrow();
        assertThat(event.key()).contains("tr_bare");
        assertThat(Envelope.read(event).transfer().amount()).isEqualTo("10.00");
    }

    private static void publishBare(String message, String id) {
        try (var sns = software.amazon.awssdk.services.sns.SnsClient.builder()
                .endpointOverride(bank.broker().endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build()) {
            sns.publish(request -> request.topicArn(
                            "arn:aws:sns:eu-central-1:" + bank.broker().account() + ":" + Profile.TOPIC + ".fifo")
                    .message(message)
                    .messageGroupId("tr_bare")
                    .messageDeduplicationId(id + "-" + System.nanoTime()));
        }
    }

    private static void subscribe(String queue) {
        try (var sns = software.amazon.awssdk.services.sns.SnsClient.builder()
                .endpointOverride(bank.broker().endpoint())
                .region(Region.EU_CENTRAL_1)
                .credentialsProvider(StaticCredentialsProvider.create(AwsBasicCredentials.create("test", "test")))
                .build()) {
            String account = bank.broker().account();
            sns.subscribe(
                    request -> request.topicArn("arn:aws:sns:eu-central-1:" + account + ":" + Profile.TOPIC + ".fifo")
                            .protocol("sqs")
                            .endpoint("arn:aws:sqs:eu-central-1:" + account + ":"
                                    + queue.substring(queue.lastIndexOf('/') + 1)));
        }
    }

    private static JsonNode next(String queue, UUID event) {
        JsonNode[] found = new JsonNode[1];
        Await.until("the message of " + event, () -> {
            for (Message message : sqs.receiveMessage(request ->
                            request.queueUrl(queue).waitTimeSeconds(1).maxNumberOfMessages(10))
                    .messages()) {
                try {
                    JsonNode body = new ObjectMapper().readTree(message.body());
                    JsonNode inner =
                            new ObjectMapper().readTree(body.path("Message").asText());
                    if (inner.path("envelope").path("eventId").asText().equals(event.toString())) {
                        found[0] = inner;
                    }
                } catch (IOException noJson) {
                    throw new IllegalStateException(noJson);
                }
                sqs.deleteMessage(request -> request.queueUrl(queue).receiptHandle(message.receiptHandle()));
            }
            return found[0] != null;
        });
        return found[0];
    }

    @Test
    void everyEventOfATransferIsOfOneTraceFromTheFirst() throws SQLException {
        Transfer transfer = transfer();
        UUID event = submit(transfer);
        awaitSettled(transfer.id());

        String of = " FROM posthorn.outbox WHERE key = '" + transfer.id() + "'";
        assertThat(one("SELECT string_agg(type, ' ' ORDER BY seq)" + of)).isEqualTo("submitted.usdc accepted settled");
        assertThat(one("SELECT count(DISTINCT substr(traceparent, 4, 32)) || ' ' || count(DISTINCT traceparent)" + of))
                .as("traces, and spans in them")
                .isEqualTo("1 3");
        assertThat(one("SELECT convert_from(payload, 'UTF8')::jsonb #>> '{envelope,traceparent}'" + of + " AND id = '"
                        + event + "'"))
                .as("the trace in the envelope of the first")
                .isEqualTo(one("SELECT traceparent" + of + " AND id = '" + event + "'"))
                .matches("00-[0-9a-f]{32}-[0-9a-f]{16}-01");
    }

    @Test
    void theSqlOfTheDesignGoesOutWithTheEnvelopesIdAndTheTransfersKey() throws Exception {
        Process psql = new ProcessBuilder(
                        "psql",
                        "-v",
                        "ON_ERROR_STOP=1",
                        "-qAt",
                        "-h",
                        "127.0.0.1",
                        "-p",
                        Integer.toString(bank.postgres().port()),
                        "-U",
                        "postgres",
                        "-d",
                        "postgres")
                .redirectErrorStream(true)
                .start();
        psql.getOutputStream()
                .write(("SET search_path = transfers;\n" + DesignSql.TEXT
                                + "\nSELECT payload #>> '{envelope,eventId}' FROM outbox WHERE payload #>> '{key,transferId}' ="
                                + " 'tr_test_123';\n")
                        .getBytes(java.nio.charset.StandardCharsets.UTF_8));
        psql.getOutputStream().close();
        String said = new String(psql.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(psql.waitFor()).as(said).isZero();
        String event = said.lines().reduce("", (first, last) -> last);

        Await.until(
                "it is SENT",
                () -> one("SELECT state FROM transfers.outbox WHERE payload #>> '{envelope,eventId}' = '" + event + "'")
                        .equals("SENT"));
        awaitProjected("tr_test_123");
        assertThat(one("SELECT event_id FROM projections.timeline WHERE transfer_id = 'tr_test_123' AND what ="
                        + " 'submitted.usdc'"))
                .isEqualTo(event);
    }

    private static void awaitProjected(String transfer) {
        Await.until(
                "it is projected",
                () -> Integer.parseInt(
                                one("SELECT count(*) FROM projections.timeline WHERE transfer_id = '" + transfer + "'"))
                        >= 1);
    }

    @Test
    void theDesignsVariablesLeadToItsTopicQueueAndDatabase() {
        Map<String, String> set = Map.of(
                "SNS_ARN", "arn:aws:sns:us-east-1:123456789012:events-transfers.fifo",
                "PG_DSN", "host=db port=6432 dbname=cts user=cts password=secret",
                "AWS_REGION", "us-east-1",
                "QUEUE_URL", "https://sqs.us-east-1.amazonaws.com/123456789012/gateway-usdc.fifo");

        Variables variables = Variables.of(set);

        assertThat(variables.transport().access().region()).isEqualTo(Region.US_EAST_1);
        assertThat(variables.database().getDatabaseName()).isEqualTo("cts");
        assertThat(variables.database().getPortNumbers()).containsExactly(6432);
        assertThatThrownBy(() -> Variables.of(Map.of("PG_DSN", "host=db")))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("no SNS_ARN");
    }
}
