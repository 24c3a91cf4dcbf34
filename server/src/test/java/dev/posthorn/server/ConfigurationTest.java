package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.relay.RouteStart;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigurationTest {

    private static final String TWO_ROUTES = """
            database:
              url: postgres://ann:s3cret@db/shop
            transports:
              broker:
                address: memory
            routes:
              orders.v2:
                transport: broker
                domains: [shop, payments]
                retry:
                  policy: exponential
                  max-attempts: 12
                  base: 1s
                  max: 4s
                after-dead: hold
              audit:
                transport: broker
                start: beginning
                retry-by-type:
                  order.placed: fixed
            """;

    @Test
    void aFileWithTwoRoutesIsAPlan() {
        RelayPlan plan = plan(TWO_ROUTES, Map.of());

        assertThat(plan.database().url()).hasToString("db:5432/shop");
        assertThat(plan.routes()).hasSize(2);
        RelayPlan.RoutePlan orders = plan.routes().get(0);
        assertThat(orders.route().name()).isEqualTo("orders.v2");
        assertThat(orders.route().filter()).isEqualTo(RouteFilter.ofDomains("shop", "payments"));
        assertThat(orders.filters()).isTrue();
        assertThat(orders.policy().afterDead()).isEqualTo(AfterDead.HOLD);
        assertThat(orders.policy().retry().maxAttempts()).isEqualTo(12);
        assertThat(orders.policy().retry().pauseAfter(9, new Random(1)).orElseThrow())
                .isBetween(Duration.ofMillis(3_200), Duration.ofMillis(4_800));
        RelayPlan.RoutePlan audit = plan.routes().get(1);
        assertThat(audit.filters()).isFalse();
        assertThat(audit.route().start()).isEqualTo(RouteStart.beginning());
        assertThat(audit.policy().retryByType()).containsOnlyKeys("order.placed");
        assertThat(audit.transport().name()).isEqualTo("broker");
        assertThat(plan.http().address()).isPresent();
    }

    @Test
    void aVariableForOneTypeStandsForTheTypeWithDots() {
        RelayPlan plan = plan(TWO_ROUTES, Map.of("POSTHORN_ROUTES_ORDERS_V2_RETRY_BY_TYPE_ORDER_PLACED", "fixed"));

        assertThat(plan.routes().get(0).policy().retryByType()).containsOnlyKeys("order.placed");
    }

    @Test
    void tenantsEncryptionAndTracesArePartOfAPlan() {
        String file = """
                database: {url: postgres://db/shop}
                transports: {broker: {address: memory}}
                routes:
                  rest: {transport: broker, except-tenants: [acme]}
                encryption: {required: true}
                tracing: {enabled: true}
                metrics: {tenants: [acme, globex]}
                """;

        RelayPlan plan = plan(file, Map.of());

        RelayPlan.RoutePlan rest = plan.routes().get(0);
        assertThat(rest.route().filter()).isEqualTo(RouteFilter.all().exceptTenants("acme"));
        assertThat(rest.filters()).isTrue();
        assertThat(rest.passage().encryptedOnly()).isTrue();
        assertThat(rest.passage().traced()).isTrue();
        assertThat(plan.http().tenants()).containsExactly("acme", "globex");
        assertThat(faults(file.replace("except-tenants: [acme]", "tenants: [x], except-tenants: [acme]"), Map.of()))
                .singleElement()
                .asString()
                .contains("routes.rest.except-tenants", "the route names its tenants");
    }

    @Test
    void everyFaultIsToldAtOnceWithItsLineItsValueAndWhatIsAllowed() {
        List<String> faults = faults("""
                database:
                  schema: posthorn
                relay:
                  batch: many
                  lease-tll: 10s
                  idle-poll: 500
                transports:
                  broker:
                    address: nats://user:hunter2@host
                routes:
                  orders:
                    transport: brokr
                    retry:
                      policy: sometimes
                  "bad name!":
                    transport: broker
                    start: tomorrow
                    retry: {pause: 1s}
                retention:
                  archive-after: 10d
                http:
                  address: 0.0.0.0:80
                """, Map.of("POSTHORN_RELAY_MAX_IN_FLIGHT", "0", "POSTHORN_RELAY_NAEM", "x"));

        assertThat(faults)
                .anySatisfy(fault -> assertThat(fault).startsWith("database.url: which database?"))
                .anySatisfy(
                        fault -> assertThat(fault)
                                .startsWith(
                                        "posthorn.yaml:4: relay.batch = \"many\": it is no whole number. Allowed is a whole number"))
                .anySatisfy(fault -> assertThat(fault)
                        .isEqualTo("posthorn.yaml:5: relay.lease-tll: there is no such key. Did you mean lease-ttl?"))
                .anySatisfy(fault -> assertThat(fault)
                        .startsWith(
                                "posthorn.yaml:6: relay.idle-poll = \"500\": it is no time. Allowed is a time such as"))
                .anySatisfy(fault -> assertThat(fault)
                        .startsWith("posthorn.yaml:9: transports.broker.address")
                        .doesNotContain("hunter2"))
                .anySatisfy(fault -> assertThat(fault)
                        .isEqualTo(
                                "posthorn.yaml:12: routes.orders.transport = \"brokr\": there is no such transport. Did you"
                                        + " mean broker?"))
                .anySatisfy(fault ->
                        assertThat(fault).contains("posthorn.yaml:14", "\"sometimes\"", "ladder, exponential or fixed"))
                .anySatisfy(
                        fault -> assertThat(fault).startsWith("routes.bad name!: \"bad name!\" is not a route's name"))
                .anySatisfy(fault -> assertThat(fault).contains("posthorn.yaml:17", "\"tomorrow\""))
                .anySatisfy(fault -> assertThat(fault).contains("posthorn.yaml:18", "the policy is ladder"))
                .anySatisfy(fault -> assertThat(fault).contains("posthorn.yaml:20", "retention.archive too"))
                .anySatisfy(fault -> assertThat(fault).contains("posthorn.yaml:22", "METRICS_TOKEN"))
                .anySatisfy(fault ->
                        assertThat(fault).startsWith("POSTHORN_RELAY_MAX_IN_FLIGHT: relay.max-in-flight = \"0\""))
                .anySatisfy(fault -> assertThat(fault).contains("POSTHORN_RELAY_NAEM", "POSTHORN_RELAY_NAME?"))
                .hasSize(14);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "routes: [a]",
                "routes: nothing",
                "routes: {a: {domains: {x: y}}}",
                "relay: {name: [a, b]}",
                "relay: {name: }",
                "relay: {name: a, name: b}",
                "relay: {name: a",
                "colour: blue",
                "- a\n- b",
                "&a [*a]"
            })
    void whatIsNoSettingIsNeverPassedOver(String yaml) {
        assertThat(faults(yaml, Map.of())).anySatisfy(fault -> assertThat(fault).startsWith("posthorn.yaml:"));
    }

    @Test
    void aVariableWinsOverTheFileAndTellsSo() {
        Configuration config = read(
                TWO_ROUTES,
                Map.of(
                        "POSTHORN_ROUTES_ORDERS_V2_RETRY_MAX_ATTEMPTS", "3",
                        "POSTHORN_ROUTES_AUDIT_TYPES", "a.b, c",
                        "POSTHORN_DATABASE_URL", "postgres://elsewhere/x"));

        assertThat(config.faults()).isEmpty();
        assertThat(config.given("routes", "orders.v2", "retry", "max-attempts").orElseThrow())
                .isEqualTo(new Given(
                        List.of("routes", "orders.v2", "retry", "max-attempts"),
                        List.of("3"),
                        Origin.variable("POSTHORN_ROUTES_ORDERS_V2_RETRY_MAX_ATTEMPTS")));
        assertThat(config.items("routes", "audit", "types")).isEqualTo(Set.of("a.b", "c"));
        assertThat(config.required("database", "url")).isEqualTo("postgres://elsewhere/x");
        assertThat(config.given("relay", "batch").orElseThrow().origin()).isEqualTo(Origin.STANDARD);
        assertThat(config.given("routes", "audit", "start").orElseThrow().origin())
                .hasToString("file posthorn.yaml:18");
    }

    @Test
    void variablesAloneAreEnough() {
        RelayPlan plan = plan(
                "",
                Map.of(
                        "POSTHORN_DATABASE_URL", "postgres://db/shop",
                        "POSTHORN_TRANSPORTS_MY_KAFKA_ADDRESS", "kafka://k:9092",
                        "POSTHORN_TRANSPORTS_MY_KAFKA_CLIENT_SECURITY_PROTOCOL", "SSL",
                        "POSTHORN_ROUTES_ALL_TRANSPORT", "my-kafka",
                        "POSTHORN_ROUTES_ALL_DOMAINS", "shop,payments",
                        "POSTHORN_HTTP_ADDRESS", "off",
                        "POSTHORN_RETENTION_PRUNE", "false"));

        assertThat(plan.routes()).hasSize(1);
        assertThat(plan.routes().get(0).route().filter().domains()).containsExactly("payments", "shop");
        assertThat(plan.routes().get(0).transport().properties()).isEqualTo(Map.of("security.protocol", "SSL"));
        assertThat(plan.http().address()).isEmpty();
        assertThat(plan.pruning().every()).isEmpty();
    }

    @Test
    void whatKubernetesSetsForAServiceIsNoSetting() {
        assertThat(faults(
                        TWO_ROUTES,
                        Map.of(
                                "POSTHORN_RELAY_PORT", "tcp://10.0.0.1:80",
                                "POSTHORN_RELAY_SERVICE_HOST", "10.0.0.1",
                                "POSTHORN_RELAY_SERVICE_PORT_HTTP", "80",
                                "POSTHORN_RELAY_PORT_80_TCP_ADDR", "10.0.0.1",
                                "POSTHORN_JAVA_OPTS", "-Xmx1g")))
                .isEmpty();
    }

    @Test
    void theKnobsOfAttributesAreKnownByTheirOwnNames() {
        String yaml =
                "profile: licenses\ndatabase: {url: postgres://db/x}\ntransports: {main: {address: 'pubsub://packfinderz'}}";

        RelayPlan standard = plan(yaml, Map.of());
        assertThat(standard.config().page()).isEqualTo(50);
        assertThat(standard.config().idlePoll()).isEqualTo(Duration.ofMillis(500));
        assertThat(standard.routes().get(0).policy().retry().maxAttempts()).isEqualTo(25);
        assertThat(standard.pruning().retention().inbox().inbox()).isEqualTo(Duration.ofDays(30));

        RelayPlan own = plan(
                yaml,
                Map.of(
                        "PACKFINDERZ_OUTBOX_PUBLISH_BATCH_SIZE", "70",
                        "PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250",
                        "PACKFINDERZ_OUTBOX_MAX_ATTEMPTS", "7",
                        "PACKFINDERZ_PUBSUB_DOMAIN_SUBSCRIPTION", "pf-sub",
                        "PACKFINDERZ_EVENTING_IDEMPOTENCY_TTL", "48h"));
        assertThat(own.config().page()).isEqualTo(70);
        assertThat(own.config().idlePoll()).isEqualTo(Duration.ofMillis(250));
        assertThat(own.routes().get(0).policy().retry().maxAttempts()).isEqualTo(7);
        assertThat(own.pruning().retention().inbox().inbox()).isEqualTo(Duration.ofDays(2));
        assertThat(read(yaml, Map.of()).given("transports", "main", "topic").orElseThrow())
                .isEqualTo(new Given(
                        List.of("transports", "main", "topic"),
                        List.of("pf-domain-events"),
                        Origin.profile("licenses")));
    }

    @Test
    void aProfileAndItsVariablesAreAWholeConfiguration() {
        RelayPlan transfers = plan(
                "profile: transfers",
                Map.of(
                        "PG_DSN", "postgres://db/transfers",
                        "SNS_ARN", "arn:aws:sns:eu-central-1:123456789012:transfers.fifo"));
        assertThat(transfers.routes().get(0).route().name()).isEqualTo("main");
        assertThat(transfers.config().maxInFlight()).isEqualTo(10);
        assertThat(transfers.routes().get(0).policy().retry().pauseAfter(9, new Random(1)))
                .isEqualTo(Optional.of(Duration.ofHours(1)));

        RelayPlan holdco = plan(
                "profile: holdco\ndatabase: {url: postgres://db/x}",
                Map.of(
                        "RABBITMQ_URL", "amqp://u:p@rabbit",
                        "OUTBOX_BACKOFF_BASE_MS", "100",
                        "METRICS_TOKEN", "a-long-token"));
        assertThat(holdco.routes().get(0).transport().prefix()).isEqualTo("holdco");
        assertThat(holdco.http().access().metricsToken()).contains("a-long-token");
        assertThat(holdco.routes()
                        .get(0)
                        .policy()
                        .retry()
                        .pauseAfter(1, new Random(1))
                        .orElseThrow())
                .isBetween(Duration.ofMillis(160), Duration.ofMillis(240));
    }

    @Test
    void variablesOfTheDesignsAreTakenInTheFormsPeopleHave() {
        for (String dsn : List.of(
                "postgresql://app:secret@db:5432/transfers",
                "postgres://app:secret@db/transfers",
                "host=db port=5432 dbname=transfers user=app password='it\\'s secret'")) {
            RelayPlan transfers = plan(
                    "profile: transfers",
                    Map.of("PG_DSN", dsn, "SNS_ARN", "arn:aws:sns:eu-central-1:123456789012:transfers.fifo"));
            assertThat(transfers.database().url().database()).isEqualTo("transfers");
        }
        assertThat(address("holdco", "RABBITMQ_URL", "amqp://localhost:5672")).isEqualTo("amqp://localhost:5672");
        assertThat(address("holdco", "RABBITMQ_URL", "localhost:5672")).isEqualTo("amqp://localhost:5672");
        assertThat(address("openpaw", "REDIS_URL", "localhost:6379/2")).isEqualTo("redis://localhost:6379/2");
        assertThat(address("licenses", "GOOGLE_CLOUD_PROJECT", "packfinderz"))
                .isEqualTo("pubsub://packfinderz/pf-domain-events");
    }

    private static String address(String profile, String variable, String value) {
        return plan("profile: " + profile + "\ndatabase: {url: postgres://db/x}", Map.of(variable, value))
                .routes()
                .get(0)
                .transport()
                .choice()
                .address();
    }

    @Test
    void everyProfileChecksTypesByTheRegistryThatIsShippedWithIt() {
        for (Profile profile : Profile.ALL) {
            String address = "\ntransports: {main: {address: 'file:/tmp/out'}}";
            String mode = profile.name().equals("licenses") ? "strict" : "warn";

            Configuration config =
                    read("profile: " + profile.name() + "\ndatabase: {url: postgres://db/x}" + address, Map.of());

            assertThat(config.faults()).as(profile.name()).isEmpty();
            assertThat(config.required("registry", "file")).isEqualTo("profile:" + profile.name());
            assertThat(config.required("registry", "mode")).isEqualTo(mode);
            assertThat(new PlanReader(config)
                            .plan()
                            .http()
                            .told()
                            .registry()
                            .orElseThrow()
                            .types())
                    .isNotEmpty();
        }
    }

    @Test
    void theFileWinsOverTheProfileAndOurVariableOverTheAlias() {
        Configuration config = read(
                "profile: licenses\nrelay: {batch: 60, idle-poll: 1s}",
                Map.of("PACKFINDERZ_OUTBOX_PUBLISH_POLL_MS", "250", "POSTHORN_RELAY_IDLE_POLL", "2s"));

        assertThat(config.required("relay", "batch")).isEqualTo("60");
        assertThat(config.required("relay", "idle-poll")).isEqualTo("2s");
    }

    private static RelayPlan plan(String yaml, Map<String, String> environment) {
        Configuration config = read(yaml, environment);
        assertThat(config.faults()).isEmpty();
        return new PlanReader(config).plan();
    }

    private static List<String> faults(String yaml, Map<String, String> environment) {
        return read(yaml, environment).faults().stream().map(Fault::toString).toList();
    }

    private static Configuration read(String yaml, Map<String, String> environment) {
        return Configuration.of(ConfigFile.parse("posthorn.yaml", yaml), environment, List.of());
    }
}
