package dev.posthorn.examples.licenses;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.transports.googlepubsub.GooglePubSubTransport;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the design says, on Google's emulator and a real Redis, looked at with Pub/Sub's own HTTP, with Redis' commands and SQL. */
@Tag("slow")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
@Tag("exact")
class LicensesTest {

    private static final Variables VARIABLES = Variables.of(Map.of("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "50"));

    private static Market market;
    private static GooglePubSubTransport transport;
    private static Worker worker;
    private static Relay relay;
    private static Relay other;

    @BeforeAll
    static void start() throws SQLException {
        market = Market.open();
        transport = market.transport(VARIABLES);
        worker = Worker.start(transport, VARIABLES, market.pool(), market.marks(VARIABLES), Compliance.handler());
        relay = DomainTopic.relay(market.pool(), transport.publisher(), "one", VARIABLES);
        other = DomainTopic.relay(market.pool(), transport.publisher(), "other", VARIABLES);
    }

    @AfterAll
    static void stop() {
        if (market != null) {
            relay.close();
            other.close();
            worker.close();
            transport.close();
            market.close();
        }
    }

    private static String license() {
        return "lic_" + UUID.randomUUID();
    }

    private static String notice(UUID event) {
        return market.one("SELECT concat_ws(' | ', type, audience, store_id, message, link, reason)"
                + " FROM compliance.notifications WHERE event_id = '" + event + "'");
    }

    private static void awaitNotice(UUID event) {
        Await.within(
                Duration.ofSeconds(60),
                () -> "a notice about " + event + "; " + relay.status() + " " + worker.report(),
                () -> !notice(event).equals("none"));
    }

    private static String row(String columns, UUID event) {
        return market.one("SELECT " + columns + " FROM licenses.outbox_events WHERE id = '" + event + "'");
    }

    @Test
    void whatIsPendingIsANoticeToAdminsAndADecisionOneToTheStore() throws SQLException {
        String license = license();

        UUID uploaded = market.commit(in -> market.licenses().upload(in, license, "store-1"));
        UUID rejected = market.commit(in -> market.licenses().reject(in, license, "it has expired"));
        UUID again = market.commit(in -> market.licenses().upload(in, license, "store-1"));
        UUID verified = market.commit(in -> market.licenses().approve(in, license));

        awaitNotice(verified);
        assertThat(notice(uploaded))
                .isEqualTo("compliance | admin | A license waits for review | /admin/licenses/" + license);
        assertThat(notice(rejected))
                .isEqualTo("compliance | store | store-1 | Your license is rejected | /stores/store-1/licenses/"
                        + license + " | it has expired");
        assertThat(notice(verified))
                .isEqualTo("compliance | store | store-1 | Your license is verified | /stores/store-1/licenses/"
                        + license);
        assertThat(market.one("SELECT string_agg(event_id::text, ' ' ORDER BY n) FROM compliance.notifications"
                        + " WHERE license_id = '" + license + "'"))
                .as("in order, and each once")
                .isEqualTo(uploaded + " " + rejected + " " + again + " " + verified);
    }

    @Test
    void aMessageHasTheDesignsFiveAttributesAndThePayloadsBytes() throws Exception {
        Topic topic = market.topic("pf-domain-events");
        topic.watch("probe-attributes");
        UUID event = UUID.randomUUID();
        String payload = "{ \"licenseId\":\"L-é\",\"storeId\":\"S-1\",  \"status\":\"pending\" }";

        market.run(
                "INSERT INTO licenses.outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json, created_at)"
                        + " VALUES ('" + event + "', 'license_status_changed', 'license', 'L-é', '" + payload
                        + "', '2026-03-01T09:30:00Z')");

        Topic.Message message = next(topic, "probe-attributes", event);
        assertThat(message.body()).isEqualTo(payload);
        assertThat(message.five())
                .isEqualTo(Map.of(
                        "event_id", event.toString(),
                        "event_type", "license_status_changed",
                        "aggregate_type", "license",
                        "aggregate_id", "L-é",
                        "created_at", "2026-03-01T09:30:00Z"));
        awaitNotice(event);
    }

    /** Such as a publisher that was not moved yet. */
    @Test
    void aMessageWithTheFiveAttributesAloneIsHandledToo() throws Exception {
        UUID event = UUID.randomUUID();
        Map<String, String> attributes = Map.of(
                "event_id", event.toString(),
                "event_type", "license_status_changed",
                "aggregate_type", "license",
                "aggregate_id", "L-2",
                "created_at", "2026-03-01T09:30:00Z");

        market.topic("pf-domain-events").publish(valid("L-2"), attributes);

        awaitNotice(event);
        Await.until("it is marked", () -> "done".equals(market.keys().get(Market.key(event))));
    }

    private static Topic.Message next(Topic topic, String subscription, UUID event) {
        List<Topic.Message> found = new ArrayList<>();
        Await.until("the message of " + event, () -> {
            try {
                topic.pull(subscription).stream()
                        .filter(one -> event.toString().equals(one.attributes().get("event_id")))
                        .forEach(found::add);
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            return !found.isEmpty();
        });
        return found.get(0);
    }

    @Test
    void aMarkIsInRedisUnderTheDesignsKeyForTheDesignsTime() throws SQLException {
        UUID event = market.commit(in -> market.licenses().upload(in, license(), "store-1"));

        Await.until("it is marked", () -> "done".equals(market.keys().get(Market.key(event))));
        assertThat(Duration.ofSeconds(market.keys().ttl(Market.key(event))))
                .isBetween(Duration.ofHours(719), Duration.ofHours(720));
        assertThat(notice(event)).as("the effect was there before the mark").isNotEqualTo("none");
    }

    @Test
    void aFailureLeavesNoKeyAndTheEventComesAgainWhenTheDependencyRecovers() throws SQLException {
        long before = worker.report().totals().retried();
        UUID event;
        market.run("ALTER TABLE compliance.notifications RENAME TO notifications_away");
        try {
            event = market.commit(in -> market.licenses().upload(in, license(), "store-1"));
            Await.until("it has failed", () -> worker.report().totals().retried() > before);
            Await.until("its key is gone", () -> market.keys().exists(Market.key(event)) == 0);
        } finally {
            market.run("ALTER TABLE compliance.notifications_away RENAME TO notifications");
        }

        awaitNotice(event);
        Await.until("it is marked", () -> "done".equals(market.keys().get(Market.key(event))));
    }

    @Test
    void anUnknownTypeAndPayloadsThatAreNoneAreFailedAtOnceAndTheKeyGoesOn() throws SQLException {
        String license = license();
        UUID unknown = insert("license_eaten", "license", license, "{}");
        UUID nothing = insert("license_status_changed", "license", license, "null");
        UUID stranger = insert("license_status_changed", "store", license, valid(license));
        UUID odd = insert(
                "license_status_changed", "license", license, valid(license).replace("pending", "lost"));
        UUID incomplete = insert("license_status_changed", "license", license, "{\"licenseId\":\"L-1\"}");
        UUID good = insert("license_status_changed", "license", license, valid(license));

        awaitNotice(good);
        for (UUID bad : List.of(unknown, nothing, stranger, odd, incomplete)) {
            Await.until(
                    () -> "it is failed: " + row("last_error", bad),
                    () -> row("attempt_count = 1 AND last_error IS NOT NULL AND published_at IS NULL", bad)
                            .equals("t"));
            assertThat(notice(bad)).isEqualTo("none");
        }
        assertThat(row("last_error", unknown)).contains("license_eaten");
        assertThat(row("last_error", stranger)).contains("license");
        assertThat(row("last_error", incomplete)).contains("storeId");
    }

    private static String valid(String license) {
        return "{\"licenseId\":\"" + license + "\",\"storeId\":\"S-1\",\"status\":\"pending\"}";
    }

    private static UUID insert(String type, String aggregate, String license, String payload) throws SQLException {
        UUID event = UUID.randomUUID();
        market.run("INSERT INTO licenses.outbox_events (id, event_type, aggregate_type, aggregate_id, payload_json)"
                + " VALUES ('" + event + "', '" + type + "', '" + aggregate + "', '" + license + "', '" + payload
                + "')");
        return event;
    }

    /** The design's relays claim rows in a transaction that commits at once, and so both publish them. */
    @Test
    void twoRelaysPublishEachEventOnce() throws Exception {
        Topic topic = market.topic("pf-domain-events");
        topic.watch("probe-twice");
        List<String> events = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            events.add(market.commit(in -> market.licenses().upload(in, license(), "store-1"))
                    .toString());
        }

        List<String> seen = new ArrayList<>();
        Await.within(Duration.ofSeconds(60), () -> "all messages; so far " + seen.size(), () -> {
            try {
                topic.pull("probe-twice")
                        .forEach(one -> seen.add(one.attributes().get("event_id")));
            } catch (Exception failed) {
                throw new IllegalStateException(failed);
            }
            return seen.containsAll(events);
        });

        assertThat(seen.stream().filter(events::contains)).hasSameSizeAs(events);
    }

    @Test
    void cleanupRemovesWhatWasPublishedLongAgoAndTheOldDeleteNothing() throws SQLException {
        UUID event = market.commit(in -> market.licenses().upload(in, license(), "store-1"));
        Await.until(
                "it is published", () -> row("published_at IS NOT NULL", event).equals("t"));
        try (Connection connection = market.pool().getConnection();
                Statement statement = connection.createStatement()) {
            statement.executeUpdate("DELETE FROM licenses.outbox_events WHERE published_at IS NOT NULL"
                    + " AND published_at < now() - interval '30 days'");
            assertThat(statement.getWarnings().getMessage()).contains("nothing is deleted from outbox_events");
        }

        DomainTopic.cleanup(market.pool()).prune(progress -> {});
        assertThat(row("published_at IS NOT NULL", event))
                .as("30 days are not over")
                .isEqualTo("t");
        Await.until("one whose retention is over is gone", () -> {
            new PostgresPruner(market.pool(), Schema.DEFAULT, Duration.ZERO).prune(progress -> {});
            return row("id", event).equals("none");
        });
    }
}
