package dev.posthorn.examples.holdco;

import static org.assertj.core.api.Assertions.assertThat;

import com.rabbitmq.client.GetResponse;
import dev.posthorn.archive.FolderArchive;
import dev.posthorn.archive.Volume;
import dev.posthorn.archive.VolumeReader;
import dev.posthorn.embeddedbrokers.EmbeddedRabbitMq;
import dev.posthorn.event.Event;
import dev.posthorn.postgres.PostgresReplayDesk;
import dev.posthorn.postgres.Schema;
import dev.posthorn.replay.Replay;
import dev.posthorn.testkit.Await;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the design says, read with the tools of others: RabbitMQ's client and command line, and SQL. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("exact")
class HoldcoTest {

    private static final UUID GROUP = UUID.fromString("11111111-1111-1111-1111-111111111111");
    private static final UUID SUBSIDIARY = UUID.fromString("22222222-2222-2222-2222-222222222222");

    private static final Map<String, GetResponse> SEEN = new HashMap<>();

    private static final Map<String, List<String>> REPLAYED = new HashMap<>();

    private static HoldcoHarness harness;

    @BeforeAll
    static void start() throws Exception {
        Assumptions.assumeTrue(
                EmbeddedRabbitMq.isInstalled() || "true".equals(System.getenv("CI")), "RabbitMQ is not installed");
        harness = new HoldcoHarness();
    }

    @AfterAll
    static void stop() throws Exception {
        if (harness != null) {
            harness.close();
        }
    }

    @Test
    void aMessageHasTheSevenHeadersAndItsId() throws SQLException {
        UUID order = UUID.randomUUID();
        harness.transact(connection ->
                harness.holdco.change(connection, new Tenant(GROUP, SUBSIDIARY), Aggregate.ORDER, order, "created"));

        GetResponse message = messageOf(order);

        assertThat(message.getEnvelope().getExchange()).isEqualTo("holdco.events");
        assertThat(message.getEnvelope().getRoutingKey()).isEqualTo("order.created");
        String id = harness.one("SELECT event_id FROM holdco.history WHERE aggregate_id = '" + order + "'");
        assertThat(message.getProps().getMessageId()).isEqualTo(id);
        assertThat(header(message, "x-event-id")).isEqualTo(id);
        assertThat(header(message, "x-aggregate-type")).isEqualTo("order");
        assertThat(header(message, "x-aggregate-id")).isEqualTo(order.toString());
        assertThat(header(message, "x-event-type")).isEqualTo("created");
        assertThat(header(message, "x-group-id")).isEqualTo(GROUP.toString());
        assertThat(header(message, "x-subsidiary-id")).isEqualTo(SUBSIDIARY.toString());
        assertThat(header(message, "x-attempts")).isEqualTo("1");
    }

    @Test
    void whatBelongsToTheWholeGroupHasNoHeaderForASubsidiary() throws SQLException {
        UUID order = UUID.randomUUID();
        UUID rule = UUID.randomUUID();
        harness.transact(connection -> {
            harness.holdco.change(connection, new Tenant(GROUP, null), Aggregate.ORDER, order, "created");
            harness.holdco.change(connection, new Tenant(GROUP, null), Aggregate.PRICE_RULE, rule, "changed");
        });

        for (UUID aggregate : List.of(order, rule)) {
            GetResponse message = messageOf(aggregate);
            assertThat(message.getProps().getHeaders())
                    .containsKey("x-group-id")
                    .doesNotContainKey("x-subsidiary-id");
        }
    }

    @Test
    void theBodyIsTheEnvelopeOfWhatWasInsertedAsBefore() throws SQLException {
        UUID id = UUID.randomUUID();
        UUID order = UUID.randomUUID();
        harness.run(
                "INSERT INTO holdco.event_outbox (id, group_id, subsidiary_id, aggregate_type, aggregate_id, event_type,"
                        + " payload, created_at) VALUES ('" + id + "', '" + GROUP + "', '" + SUBSIDIARY
                        + "', 'order', '" + order
                        + "', 'created', '{\"order_no\": \"ORD-0001\", \"version\": 1}', '2025-12-21T22:30:00Z')");

        GetResponse message = messageOf(order);

        assertThat(new String(message.getBody(), StandardCharsets.UTF_8))
                .isEqualTo("{\"event_id\":\"" + id + "\",\"occurred_at\":\"2025-12-21T22:30:00Z\","
                        + "\"aggregate_type\":\"order\",\"aggregate_id\":\"" + order + "\",\"event_type\":\"created\","
                        + "\"group_id\":\"" + GROUP + "\",\"subsidiary_id\":\"" + SUBSIDIARY + "\","
                        + "\"payload\":{\"version\": 1, \"order_no\": \"ORD-0001\"}}");
        Await.until(
                "event_outbox says published",
                () -> harness.one("SELECT status FROM holdco.event_outbox WHERE id = '" + id + "'")
                        .equals("published"));
        Await.until(
                "event_inbox has both consumers",
                () -> harness.one("SELECT string_agg(consumer_name, ' ' ORDER BY consumer_name) FROM holdco.event_inbox"
                                + " WHERE event_id = '" + id + "'")
                        .equals("analytics.ingest notifications"));
    }

    @Test
    void theFiveQueuesAreBoundAndHaveTheirDeadLetters() {
        String bindings = harness.broker.control(
                "-q", "list_bindings", "source_name", "destination_name", "routing_key", "--no-table-headers");

        assertThat(bindings.lines().filter(line -> line.startsWith("holdco.events\t")))
                .contains(
                        "holdco.events\tanalytics.ingest\t#",
                        "holdco.events\terp.sync\tinvoice.*",
                        "holdco.events\terp.sync\tpayment_intent.*",
                        "holdco.events\tinventory.reconcile\tstock_adjustment.*",
                        "holdco.events\tpricing.refresh\tprice_rule.*",
                        "holdco.events\tnotifications\torder.*",
                        "holdco.events\tnotifications\tpayment_intent.failed");
        for (Queue queue : Queue.values()) {
            String dlq = queue.queueName() + ".dlq";
            assertThat(bindings).contains("holdco.events.dlx\t" + dlq + "\t" + dlq);
        }
        assertThat(harness.broker.control("-q", "list_exchanges", "name", "type"))
                .contains("holdco.events\ttopic", "holdco.events.dlx\tdirect");
    }

    @Test
    void aPoisonEventIsADeadLetterInTheQueuesDlqAndInPostgres() throws SQLException {
        UUID invoice = UUID.randomUUID();
        harness.run(
                "INSERT INTO holdco.event_outbox (group_id, aggregate_type, aggregate_id, event_type, payload) VALUES ('"
                        + GROUP + "', 'invoice', '" + invoice + "', 'issued', '{\"without\": \"its version\"}')");

        GetResponse dead = harness.nextMessage("erp.sync.dlq");

        assertThat(header(dead, "x-aggregate-id")).isEqualTo(invoice.toString());
        assertThat(header(dead, "posthorn-dead-reason")).contains("its payload has no version");
        Await.until(
                "Postgres has the letters of both queues",
                () -> harness.one(
                                "SELECT string_agg(name || ' ' || reason, ', ' ORDER BY name) FROM posthorn.dead WHERE key = '"
                                        + invoice + "'")
                        .equals("analytics.ingest its payload has no version, erp.sync its payload has no version"));
    }

    @Test
    void whatFitsInNoEnvelopeIsDeadOnItsWayOut() throws SQLException {
        Event event = Event.of(Holdco.DOMAIN, "created")
                .aggregate("order", UUID.randomUUID().toString())
                .key("odd")
                .tenant(GROUP.toString())
                .json("no json")
                .build();
        harness.transact(connection -> harness.outbox.emit(connection, event));

        Await.until(
                "event_outbox says dead",
                () -> harness.one("SELECT status FROM holdco.event_outbox WHERE id = '" + event.id() + "'")
                        .equals("dead"));
    }

    @Test
    void whatWasPublishedLeavesTheLogForTheArchive(@TempDir Path folder) throws SQLException {
        UUID order = UUID.randomUUID();
        harness.transact(connection ->
                harness.holdco.change(connection, new Tenant(GROUP, null), Aggregate.ORDER, order, "created"));
        String status = "SELECT status FROM holdco.event_outbox WHERE aggregate_id = '" + order + "'";
        Await.until("it is published", () -> harness.one(status).equals("published"));

        Retention.archiving(harness.pool, folder, Duration.ZERO).prune(events -> {});

        assertThat(harness.one(status)).isEmpty();
        assertThat(archived(folder)).contains("order.created " + order);
    }

    @Test
    void whatHappenedToOneTypeInOneRangeOfTimeIsPublishedAgainFromTheLogAndFromTheArchive(@TempDir Path folder)
            throws SQLException {
        Tenant tenant = new Tenant(GROUP, SUBSIDIARY);
        UUID invoice = UUID.randomUUID();
        UUID order = UUID.randomUUID();
        harness.transact(connection -> {
            harness.holdco.change(connection, tenant, Aggregate.INVOICE, invoice, "issued");
            harness.holdco.change(connection, tenant, Aggregate.ORDER, order, "created");
        });
        Instant between =
                Instant.parse(harness.one("SELECT to_json(clock_timestamp() AT TIME ZONE 'UTC')#>>'{}' || 'Z'"));
        harness.transact(connection -> harness.holdco.change(connection, tenant, Aggregate.INVOICE, invoice, "paid"));
        String effects = "SELECT string_agg(event_type, ' ' ORDER BY n) FROM holdco.erp_posting WHERE aggregate_id = '"
                + invoice + "'";
        Await.until("both had their effect", () -> harness.one(effects).equals("issued paid"));
        Replays replays = new Replays(harness.pool);
        Instant start = between.minus(Duration.ofHours(1));

        Replay fromLog = replays.start(Aggregate.INVOICE, start, between, "lost by a test");

        assertThat(replayed(fromLog)).contains("invoice.issued " + invoice).noneMatch(it -> it.startsWith("order."));
        assertThat(replayed(fromLog)).doesNotContain("invoice.paid " + invoice);

        Retention.archiving(harness.pool, folder, Duration.ZERO).prune(events -> {});
        Replay fromArchive = replays.startFromArchive(
                folder, Aggregate.INVOICE, between, between.plus(Duration.ofHours(1)), "once more");

        assertThat(replayed(fromArchive)).containsExactly("invoice.paid " + invoice);
        assertThat(harness.one(effects)).as("delivered again, and recognised").isEqualTo("issued paid");
    }

    /** What a replay has published when it is done, read with RabbitMQ's own client. */
    private static List<String> replayed(Replay replay) {
        Await.until(
                () -> "done, but " + replays().find(replay.id()),
                () -> replays().find(replay.id()).state() == Replay.State.DONE);
        while (REPLAYED.getOrDefault(replay.id().toString(), List.of()).size()
                < replays().find(replay.id()).progress().done()) {
            keep(harness.nextMessage());
        }
        return REPLAYED.getOrDefault(replay.id().toString(), List.of());
    }

    private static PostgresReplayDesk replays() {
        return new PostgresReplayDesk(harness.pool, Schema.DEFAULT);
    }

    private static List<String> archived(Path folder) {
        FolderArchive archive = new FolderArchive(folder);
        List<String> found = new ArrayList<>();
        for (Volume volume : archive.list()) {
            try (VolumeReader reader = archive.read(volume.name())) {
                for (var next = reader.next(); next.isPresent(); next = reader.next()) {
                    Event event = next.get().event();
                    found.add(event.aggregateType().orElse("") + "." + event.type() + " "
                            + event.aggregateId().orElse(""));
                }
            }
        }
        return found;
    }

    /** Messages of different aggregates come in any order, so those of others are kept for whoever asks for them. */
    private static GetResponse messageOf(UUID aggregate) {
        while (!SEEN.containsKey(aggregate.toString())) {
            keep(harness.nextMessage());
        }
        return Objects.requireNonNull(SEEN.get(aggregate.toString()));
    }

    private static void keep(GetResponse message) {
        if (message.getProps().getHeaders().containsKey("replay")) {
            REPLAYED.computeIfAbsent(header(message, "replay"), id -> new ArrayList<>())
                    .add(message.getEnvelope().getRoutingKey() + " " + header(message, "x-aggregate-id"));
        } else {
            SEEN.put(header(message, "x-aggregate-id"), message);
        }
    }

    private static String header(GetResponse message, String name) {
        return String.valueOf(message.getProps().getHeaders().get(name));
    }
}
