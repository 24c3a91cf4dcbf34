package dev.posthorn.server;

import dev.posthorn.codecs.Envelopes;
import dev.posthorn.console.HttpAddress;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import dev.posthorn.postgres.DatabaseUrl;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Provision;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Everything that can be set. The check, the reading and the reference go by this one list. */
final class Settings {

    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final int SHORTEST_TOKEN = 8;
    private static final Form NAME = Form.text("a name");
    private static final Form TIME = Form.time(Duration.ZERO);

    static final String LADDER = "ladder";
    static final String EXPONENTIAL = "exponential";
    static final String FIXED = "fixed";

    static final List<Setting> ALL = List.of(
            new Setting(
                    "profile",
                    Form.oneOf(Profile.names()),
                    "",
                    "Defaults and variables of a system that had an outbox of its own; see Profiles."),
            new Setting(
                    "database.url",
                    Form.as(
                            "postgres://user:password@host:5432/database or jdbc:postgresql://…",
                            text -> DatabaseUrl.parse(text)),
                    "",
                    "The database with the log. Required. The variable keeps a password out of the file."),
            new Setting(
                    "database.schema",
                    Form.as("the name of a schema", text -> new Schema(text)),
                    "posthorn",
                    "The schema that holds the log."),
            new Setting(
                    "database.migrate",
                    Form.flag(),
                    "",
                    "Whether the schema is brought up to date at the start. Default: an empty database gets the schema, and a"
                            + " schema that is older than this version is refused. If true, the first process of a new version"
                            + " migrates. If false, an empty database is refused too."),
            new Setting(
                    "database.wait",
                    TIME,
                    "",
                    "How long to wait at the start for a database that is not there. Left out: without end."),
            new Setting(
                    "relay.name",
                    NAME,
                    "",
                    "Unique among the relays of a route. Left out: made of host, process and chance."),
            new Setting(
                    "relay.lease-ttl",
                    Form.time(SECOND),
                    "15s",
                    "How long a silent relay keeps its lanes. Too low: a pause costs duplicates. Too high: a crash stops its"
                            + " lanes for that long."),
            new Setting(
                    "relay.batch",
                    Form.number(1, 100_000),
                    "512",
                    "How many events one read may bring per lane. Four times as many may be under way per lane, which is what a"
                            + " crash can publish twice. Too low: more statements. Too high: more memory."),
            new Setting(
                    "relay.memory",
                    Form.number(8, 1_000_000),
                    "",
                    "How many megabytes the events may take that all routes of this process have read and not checkpointed. An"
                            + " event of more than a quarter of it is not published and becomes a dead letter. If it is too low,"
                            + " reads are small. If it is too high, the heap is exhausted. Default: a quarter of the heap."),
            new Setting(
                    "relay.idle-poll",
                    Form.time(MOMENT),
                    "500ms",
                    "How often an idle relay looks at the log. Too low: more statements for nothing. Too high: the first"
                            + " event after a quiet time waits."),
            new Setting(
                    "relay.publish-timeout",
                    Form.time(MOMENT),
                    "30s",
                    "When an unanswered publish counts as unknown. Too low: duplicates. Too high: a lost answer holds its key."),
            new Setting(
                    "relay.max-in-flight",
                    Form.number(1, 1_000_000),
                    "10000",
                    "How many publishes of a route may be unanswered at once. Too low: slow. Too high: more memory."),
            new Setting(
                    "relay.max-blocked-keys",
                    Form.number(1, 1_000_000),
                    "1000",
                    "How many blocked keys of one lane count as an outage. Too low: a few bad keys stop all. Too high: an"
                            + " outage that looks like failures is charged to many events."),
            new Setting(
                    "transports.*.address",
                    Form.as(
                            "amqp://…, kafka://…, redis://…, ipc:FOLDER, sns-sqs://…, arn:aws:sns:…, pubsub://…,"
                                    + " postgresql://…, file:PATH or memory",
                            text -> new TransportChoice.Converter().convert(text)),
                    "",
                    "Where events go, as after `relay --transport`. Required."),
            new Setting(
                    "transports.*.prefix",
                    NAME,
                    "posthorn",
                    "How names at the broker begin: exchanges, topics, streams."),
            new Setting(
                    "transports.*.layout",
                    Form.oneOf(Layout.names()),
                    Layout.STANDARD.word(),
                    "How names and routing keys are made. standard: as the page of the transport says. aggregates, of RabbitMQ:"
                            + " routing keys AGGREGATE_TYPE.EVENT_TYPE, queues named as their subscribers. types, of Redis Streams:"
                            + " one stream PREFIX:EVENT_TYPE for each type, groups named as their subscribers."),
            names(NameSettings.EVENTS, "Exchanges, topics or streams by a template, such as {prefix}-events-{domain}."),
            names(NameSettings.ROUTING_KEY, "Of RabbitMQ: routing keys, such as {aggregate_type}.{event_type}."),
            new Setting(
                    "transports.*.provision",
                    Form.oneOf(Provision.words().toArray(String[]::new)),
                    "create",
                    "What happens to exchanges, topics, streams and queues that are missing. create: one that is needed for the"
                            + " first time is created; one that existed before is not, and events wait until someone runs `posthorn"
                            + " destinations create`. verify: nothing is created, and what is missing is named. off: nothing is"
                            + " created or looked for."),
            new Setting(
                    "transports.*.topic",
                    NAME,
                    "",
                    "Of Google Pub/Sub: one topic for all domains, instead of one for each."),
            new Setting(
                    "transports.*.client.*",
                    Form.text("a property's value"),
                    "",
                    "A property for Kafka's client, such as `security.protocol`. Never shown.",
                    true),
            new Setting(
                    "routes.*.transport",
                    Form.text("a name under transports"),
                    "",
                    "Which of the transports it goes to. Required."),
            new Setting(
                    "routes.*.domains",
                    Form.text("names").several(),
                    "",
                    "Only events of these domains. Left out: of all."),
            new Setting(
                    "routes.*.types",
                    Form.text("names").several(),
                    "",
                    "Only events of these types. Left out: of all."),
            new Setting(
                    "routes.*.tenants",
                    Form.text("names").several(),
                    "",
                    "Only events of these tenants, and none without. Left out: all events."),
            new Setting(
                    "routes.*.except-tenants",
                    Form.text("names").several(),
                    "",
                    "No events of these tenants, which have routes of their own. Left out: none is left out."),
            new Setting(
                    "routes.*.start",
                    Form.as(
                            "auto, now, beginning, or a time such as 2026-03-01T00:00:00Z",
                            text -> RouteStart.parse(text)),
                    "auto",
                    "Where the route starts if it is new. auto: the beginning for the first routes of a log, now for later"
                            + " ones."),
            new Setting(
                    "routes.*.envelope",
                    Form.oneOf(Envelopes.NAMES.toArray(String[]::new)),
                    "posthorn",
                    "The form in which its events travel; see docs/envelopes.md."),
            new Setting(
                    "routes.*.after-dead",
                    Form.oneOf("continue", "hold"),
                    "continue",
                    "What a key does once one of its events is dead: go on without it, or wait for someone's decision."),
            new Setting(
                    "routes.*.retry.policy",
                    Form.oneOf(LADDER, EXPONENTIAL, FIXED),
                    LADDER,
                    "When a failed event is tried again: ladder (pauses one after the other), exponential (2^n times the base)"
                            + " or fixed."),
            new Setting(
                    "routes.*.retry.max-attempts",
                    Form.number(1, 1_000),
                    "",
                    "Attempts before an event is dead. Left out: 10, for fixed 25. Too low: a short trouble kills events. Too"
                            + " high: a bad event keeps its key waiting."),
            new Setting(
                    "routes.*.retry.pauses",
                    Form.time(MOMENT).several(),
                    "",
                    "Of ladder: the pauses; the last one repeats. Left out: 1s, 5s, 30s, 2m, 10m, 1h, 2h, 4h, 8h, 16h."),
            new Setting(
                    "routes.*.retry.base",
                    Form.time(MOMENT),
                    "",
                    "Of exponential: the first pause is twice this. Left out: 5s."),
            new Setting(
                    "routes.*.retry.max", Form.time(MOMENT), "", "Of exponential: the longest pause. Left out: 15m."),
            new Setting("routes.*.retry.pause", Form.time(MOMENT), "", "Of fixed: the pause. Left out: 500ms."),
            new Setting(
                    "routes.*.retry-by-type.*",
                    Form.oneOf(LADDER, EXPONENTIAL, FIXED),
                    "",
                    "Another policy for one type of events, with its standard numbers."),
            new Setting(
                    "registry.file",
                    Form.text("a file that exists, or profile:NAME"),
                    "",
                    "Event types, their contracts and topics, in YAML; see docs/registry.md. profile:NAME is the file that is"
                            + " shipped with that profile. Default: nothing is checked."),
            new Setting(
                    "registry.mode",
                    Form.oneOf("strict", "warn", "off"),
                    "strict",
                    "What happens to an event that breaks the registry: FAILED with the reason, published with a warning, or"
                            + " nothing. Too lax: consumers meet what they can not read."),
            new Setting(
                    "claim-check.store",
                    Form.as(ClaimPlan.ALLOWED, text -> ClaimPlan.checked(text)),
                    "",
                    "Where payloads go that are too large to travel; see docs/large-payloads.md. Left out: they are published as"
                            + " they are, and refused where a transport can not carry them."),
            new Setting(
                    "claim-check.threshold",
                    Form.number(1024, 64 * 1024 * 1024),
                    "131072",
                    "From how many bytes on. What the transport can not carry goes there in any case. Too low: every event is"
                            + " two calls. Too high: brokers carry what they are slow with."),
            new Setting(
                    "retention.prune",
                    Form.flag(),
                    "true",
                    "Whether this process takes part in removing what is older, one process at a time."),
            new Setting("retention.every", Form.time(SECOND), "10m", "How often it looks for what may go."),
            new Setting(
                    "retention.log",
                    TIME,
                    "30d",
                    "How long an event is kept after every live route has published it. Not with an archive."),
            new Setting(
                    "retention.archive",
                    Form.text("a folder that exists"),
                    "",
                    "Archives events into this folder before they are removed."),
            new Setting(
                    "retention.archive-after",
                    TIME,
                    "30d",
                    "With an archive: how long after every live route has published it an event is archived and removed."),
            new Setting(
                    "retention.inbox",
                    TIME,
                    "30d",
                    "How long consumers know what they handled. Too low: what comes again later is handled again."),
            new Setting(
                    "retention.commands",
                    TIME,
                    "36h",
                    "How long after its workflow run ended a command is known. Too low: what comes again later is run again."),
            new Setting(
                    "retention.positions",
                    TIME,
                    "400d",
                    "How long after it moved a handler's position in a key is known. Too low: a key that was quiet for longer"
                            + " begins anew, with whatever comes first."),
            new Setting(
                    "retention.broker",
                    TIME,
                    "0d",
                    "How long the broker keeps what it may deliver again, such as 7d on Kafka. It only serves the warning that"
                            + " retention.inbox is too short."),
            new Setting(
                    "retention.dead-letters",
                    TIME,
                    "",
                    "How long dead letters of consumers are kept. Left out: for ever."),
            new Setting("retention.dead-letters-by-domain.*", TIME, "", "The same for those of one domain."),
            new Setting(
                    "health.standstill",
                    Form.time(SECOND),
                    "5m",
                    "How long events may wait in a lane that does not move before the process is not ready. Too low: a slow"
                            + " destination looks like a standstill."),
            new Setting(
                    "health.consumer-lag",
                    Form.time(SECOND),
                    "",
                    "From which lag on a consumer is named as degraded. Left out: never."),
            new Setting(
                    "encryption.required",
                    Form.flag(),
                    "false",
                    "Whether an event whose payload is not encrypted is refused. The relay needs no key."),
            new Setting(
                    "privacy.redact",
                    Form.text("names").several(),
                    "",
                    "Fields and headers that the console and the API show as `***` to who is no admin, by name or by path such"
                            + " as customer.email; with them what looks like an e-mail address, a card number, an IBAN or a phone"
                            + " number. What is stored and published stays as it is. Left out: nothing is hidden."),
            new Setting(
                    "tracing.enabled",
                    Form.flag(),
                    "false",
                    "Whether each publish has a span, by the OpenTelemetry agent that the process runs with."),
            new Setting(
                    "metrics.tenants",
                    Form.text("names").several(),
                    "",
                    "Tenants with metrics of their own; all others count as other. Each is a label, so name a few. Left out:"
                            + " no metrics by tenant."),
            new Setting(
                    "http.address",
                    Form.as("HOST:PORT, or off", text -> HttpAddress.parse(text)),
                    "127.0.0.1:8025",
                    "Where health, metrics and the console are answered. Another address than loopback needs a token."),
            new Setting(
                    "http.tokens.*.role",
                    Form.oneOf("metrics", "viewer", "operator", "admin"),
                    "",
                    "The rights of this token; its name is recorded with every change. See docs/http.md. If no token is"
                            + " configured, the process generates one at start and prints a link that carries it."),
            new Setting(
                    "http.tokens.*.sha256",
                    Form.as(
                            "64 hexadecimal digits, as posthorn config token prints them",
                            text -> new Tokens.Token("x", Role.VIEWER, text)),
                    "",
                    "The hash of the token. The token itself is written down nowhere."),
            new Setting(
                    "http.database-url",
                    Form.as(
                            "postgres://user:password@host:5432/database or jdbc:postgresql://…",
                            text -> DatabaseUrl.parse(text)),
                    "",
                    "The same database with a login for the console, of a role of the kinds operator and consumer. Left out: as"
                            + " database.url."),
            new Setting(
                    "http.metrics-token",
                    Form.as("a token of 8 characters at least", Settings::checkToken),
                    "",
                    "The token that a scrape sends: a token of the role metrics. Also METRICS_TOKEN. If neither this nor"
                            + " http.tokens is set, the process generates a token at start.",
                    true),
            new Setting(
                    "http.public-metrics",
                    Form.flag(),
                    "false",
                    "Whether a scrape needs no token. Metrics name routes, event types and tenants."),
            new Setting(
                    "http.figures-every",
                    Form.time(SECOND),
                    "2s",
                    "How often figures are read from the database. Too low: statements for nothing. Too high: metrics lag."));

    private Settings() {}

    private static Setting names(String of, String means) {
        String parts = "a template over {prefix}, {domain}, {type}, {event_type}, {aggregate_type} and {tenant}";
        return new Setting("transports.*.names." + of, Form.as(parts, text -> NameTemplate.ofEvents(text)), "", means);
    }

    static Optional<Setting> of(List<String> key) {
        return ALL.stream().filter(setting -> setting.matches(key)).findFirst();
    }

    private static void checkToken(String token) {
        if (token.length() < SHORTEST_TOKEN || !token.equals(token.strip())) {
            throw new IllegalArgumentException("it is too short, or has blanks around it");
        }
    }

    /** Those below a key. */
    static List<Setting> under(List<String> key) {
        return ALL.stream()
                .filter(setting -> setting.leadsTo(key) && !setting.matches(key))
                .toList();
    }
}
