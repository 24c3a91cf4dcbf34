package dev.posthorn.server;

import dev.posthorn.codecs.Envelopes;
import dev.posthorn.console.HttpAddress;
import dev.posthorn.console.Retention;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.postgres.InboxRetention;
import dev.posthorn.registry.Mode;
import dev.posthorn.registry.Registry;
import dev.posthorn.registry.RegistryFile;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RelayNames;
import dev.posthorn.relay.RetryWords;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.TypeTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Makes a plan of a configuration without faults. */
final class PlanReader {

    private static final String ROUTES = "routes";
    private static final String TRANSPORTS = "transports";
    private static final String RETENTION = "retention";
    private static final String RETRY = "retry";
    private static final String RELAY = "relay";
    private static final String PUBSUB = "pubsub://";

    private final Configuration config;
    private final Optional<Registry> registry;

    PlanReader(Configuration config) {
        this.config = config;
        this.registry = config.text("registry", "file")
                .map(file -> RegistryFile.read(ShippedRegistry.path(file))
                        .registry(Mode.named(config.required("registry", "mode"))));
    }

    RelayPlan plan() {
        return new RelayPlan(
                config.text(RELAY, "name").orElseGet(RelayNames::fresh),
                Database.of(
                        DatabaseUrl.parse(config.required("database", "url")), config.required("database", "schema")),
                new RelayPlan.Start(
                        new RelayPlan.Migrating(
                                config.text("database", "migrate").map(Boolean::parseBoolean),
                                "database.migrate: true"),
                        config.time("database", "wait").orElse(null),
                        config.text(RELAY, "memory").map(Integer::valueOf),
                        false),
                relay(),
                config.routes().stream().map(this::route).toList(),
                pruning(),
                http());
    }

    private RelayConfig relay() {
        return RelayPlan.withBatch(RelayConfig.standard(), config.number(RELAY, "batch"))
                .withLeaseTtl(config.requiredTime(RELAY, "lease-ttl"))
                .withIdlePoll(config.requiredTime(RELAY, "idle-poll"))
                .withPublishTimeout(config.requiredTime(RELAY, "publish-timeout"))
                .withMaxInFlight(config.number(RELAY, "max-in-flight"))
                .withMaxBlockedKeys(config.number(RELAY, "max-blocked-keys"));
    }

    private RelayPlan.RoutePlan route(String name) {
        RouteFilter filter = new RouteFilter(
                config.items(ROUTES, name, "domains"),
                config.items(ROUTES, name, "types"),
                config.items(ROUTES, name, "tenants"),
                config.items(ROUTES, name, "except-tenants"));
        Route route = new Route(name, filter, RouteStart.parse(config.required(ROUTES, name, "start")));
        return new RelayPlan.RoutePlan(
                route,
                !filter.isAll(),
                transport(config.required(ROUTES, name, "transport")),
                policy(name),
                new Passage(
                        registry,
                        Envelopes.named(config.required(ROUTES, name, "envelope"), name),
                        config.flag("encryption", "required"),
                        config.flag("tracing", "enabled"),
                        config.text("claim-check", "store")
                                .map(store -> ClaimPlan.checked(store)
                                        .withThreshold(config.number("claim-check", "threshold")))));
    }

    private RoutePolicy policy(String route) {
        Map<String, RetryPolicy> byType = new HashMap<>();
        registry.ifPresent(known -> known.types()
                .forEach(type -> type.policy().retry().ifPresent(retry -> byType.put(type.type(), retry))));
        config.under(ROUTES, route, "retry-by-type")
                .forEach((type, policy) -> byType.put(type, RetryPolicy.named(policy)));
        AfterDead afterDead =
                AfterDead.valueOf(config.required(ROUTES, route, "after-dead").toUpperCase(Locale.ROOT));
        return new RoutePolicy(retry(route), byType, afterDead);
    }

    private RetryPolicy retry(String route) {
        return new RetryWords(
                        config.required(ROUTES, route, RETRY, "policy"),
                        config.text(ROUTES, route, RETRY, "max-attempts").map(Integer::valueOf),
                        config.given(ROUTES, route, RETRY, "pauses").map(Given::items).orElse(List.of()).stream()
                                .map(Form::time)
                                .toList(),
                        config.time(ROUTES, route, RETRY, "base"),
                        config.time(ROUTES, route, RETRY, "max"),
                        config.time(ROUTES, route, RETRY, "pause"))
                .read();
    }

    private RelayPlan.TransportPlan transport(String name) {
        String address = config.required(TRANSPORTS, name, "address");
        boolean oneTopic = address.startsWith(PUBSUB)
                && !address.substring(PUBSUB.length()).contains("/");
        String whole = config.text(TRANSPORTS, name, "topic")
                .filter(topic -> oneTopic)
                .map(topic -> address.replaceFirst("(\\?|$)", "/" + topic + "$1"))
                .orElse(address);
        return new RelayPlan.TransportPlan(
                name,
                new TransportChoice.Converter().convert(whole),
                config.required(TRANSPORTS, name, "prefix"),
                Layout.named(config.required(TRANSPORTS, name, "layout")),
                names(name, address),
                Provision.named(config.required(TRANSPORTS, name, "provision")),
                config.under(TRANSPORTS, name, "client"));
    }

    /** Templates of a profile are left out where the address names the topic itself, or the transport has no names. */
    private NameSettings names(String transport, String address) {
        Map<String, String> templates = new HashMap<>(config.under(TRANSPORTS, transport, "names"));
        if (!NameSettings.areTakenBy(address)) {
            templates.keySet().removeIf(of -> !config.isChosen(TRANSPORTS, transport, "names", of));
        }
        return new NameSettings(templates).topics(registry.map(Registry::topics).orElse(TypeTopics.NONE));
    }

    private RelayPlan.Pruning pruning() {
        Optional<Path> archive = config.text(RETENTION, "archive").map(Path::of);
        Duration age = config.requiredTime(RETENTION, archive.isPresent() ? "archive-after" : "log");
        Map<String, Duration> byDomain = new TreeMap<>();
        config.under(RETENTION, "dead-letters-by-domain")
                .forEach((domain, time) -> byDomain.put(domain, Form.time(time)));
        InboxRetention inbox = new InboxRetention(
                config.requiredTime(RETENTION, "inbox"),
                config.time(RETENTION, "dead-letters"),
                byDomain,
                config.requiredTime(RETENTION, "commands"),
                config.requiredTime(RETENTION, "positions"));
        return new RelayPlan.Pruning(
                Optional.of(config.requiredTime(RETENTION, "every")).filter(every -> config.flag(RETENTION, "prune")),
                new Retention(age, archive.orElse(null), inbox, config.requiredTime(RETENTION, "broker")));
    }

    private List<Tokens.Token> tokens() {
        return config.tokens().stream()
                .map(name -> new Tokens.Token(
                        name,
                        Role.named(config.required("http", "tokens", name, "role")),
                        config.required("http", "tokens", name, "sha256")))
                .toList();
    }

    private RelayPlan.Http http() {
        return new RelayPlan.Http(
                HttpAddress.parse(config.required("http", "address")),
                new RelayPlan.Access(
                        config.text("http", "metrics-token"), tokens(), config.flag("http", "public-metrics")),
                config.text("http", "database-url")
                        .map(url -> Database.of(DatabaseUrl.parse(url), config.required("database", "schema")))
                        .orElse(null),
                new RelayPlan.Told(
                        () -> ConfigFormat.json(config),
                        registry,
                        Hiding.of(List.copyOf(config.items("privacy", "redact")))),
                config.requiredTime("http", "figures-every"),
                config.items("metrics", "tenants"),
                new RelayPlan.HealthLimits(
                        config.requiredTime("health", "standstill"), config.time("health", "consumer-lag")));
    }
}
