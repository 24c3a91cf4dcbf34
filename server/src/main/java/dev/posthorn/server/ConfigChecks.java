package dev.posthorn.server;

import dev.posthorn.console.HttpAddress;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import dev.posthorn.registry.RegistryFile;
import dev.posthorn.relay.Route;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** What can be wrong with settings that are each for themselves all right. */
final class ConfigChecks {

    private static final String PUBSUB = "pubsub://";

    /** Which knobs belong to which policy. */
    private static final Map<String, String> POLICY_OF = Map.of(
            "pauses", Settings.LADDER,
            "base", Settings.EXPONENTIAL,
            "max", Settings.EXPONENTIAL,
            "pause", Settings.FIXED);

    private final Configuration config;
    private final List<Fault> faults;

    private ConfigChecks(Configuration config, List<Fault> faults) {
        this.config = config;
        this.faults = faults;
    }

    static void run(Configuration config, List<Fault> faults) {
        ConfigChecks checks = new ConfigChecks(config, faults);
        checks.database();
        checks.routes();
        checks.transports();
        checks.registry();
        checks.retention();
        checks.http();
    }

    private void database() {
        if (config.given("database", "url").isEmpty()) {
            faults.add(Fault.missing("database.url", "which database? Set it, or the variable POSTHORN_DATABASE_URL"));
        }
    }

    private void routes() {
        if (config.routes().isEmpty()) {
            faults.add(Fault.missing(
                    "routes", "there is none, so there is nothing to publish. Name one with a transport"));
        }
        for (String name : config.routes()) {
            try {
                Route.named(name);
            } catch (IllegalArgumentException invalid) {
                faults.add(Fault.missing("routes." + name, String.valueOf(invalid.getMessage())));
            }
            transportOf(name);
            tenantsOf(name);
            retryOf(name);
        }
    }

    private void transportOf(String route) {
        Optional<Given> named = config.given("routes", route, "transport");
        if (named.isEmpty()) {
            faults.add(Fault.missing(
                    "routes." + route + ".transport", "where do its events go? Name one of the transports"));
            return;
        }
        Set<String> known = config.transports();
        String wanted = named.get().text();
        if (!known.contains(wanted)) {
            String hint = Suggestions.nearest(wanted, known)
                    .map(meant -> "Did you mean " + meant + "?")
                    .orElse(known.isEmpty() ? "There are none" : "There are: " + String.join(", ", known));
            faults.add(Fault.of(named.get(), "there is no such transport. " + hint));
        }
    }

    private void tenantsOf(String route) {
        if (config.given("routes", route, "tenants").isPresent()) {
            chosen(
                    given -> faults.add(
                            Fault.of(given, "the route names its tenants, so it leaves out all others. Leave it out")),
                    "routes",
                    route,
                    "except-tenants");
        }
    }

    private void retryOf(String route) {
        String policy = config.text("routes", route, "retry", "policy").orElse(Settings.LADDER);
        POLICY_OF.forEach((knob, of) -> {
            if (!policy.equals(of)) {
                chosen(
                        given -> faults.add(Fault.of(
                                given,
                                "it is of the policy " + of + ", but the policy is " + policy + ". Leave it out")),
                        "routes",
                        route,
                        "retry",
                        knob);
            }
        });
    }

    private void transports() {
        for (String name : config.transports()) {
            Optional<String> address = config.text("transports", name, "address");
            if (address.isEmpty()) {
                faults.add(Fault.missing(
                        "transports." + name + ".address",
                        "where is it? Set it, or the variable POSTHORN_TRANSPORTS_" + Setting.upper(name)
                                + "_ADDRESS"));
            } else if (!address.get().startsWith(PUBSUB)) {
                chosen(
                        given -> faults.add(Fault.of(given, "only Google Pub/Sub has it. Leave it out")),
                        "transports",
                        name,
                        "topic");
            } else if (address.get().substring(PUBSUB.length()).contains("/")) {
                chosen(
                        given -> faults.add(Fault.of(given, "the address names a topic too. Leave one of them out")),
                        "transports",
                        name,
                        "topic");
            }
        }
    }

    private void registry() {
        Optional<Given> file = config.given("registry", "file");
        if (file.isPresent()) {
            RegistryFile.read(ShippedRegistry.path(file.get().text()))
                    .faults()
                    .forEach(fault -> faults.add(Fault.of(file.get(), fault)));
        } else {
            chosen(
                    given -> faults.add(Fault.of(given, "there is no registry. Set registry.file too")),
                    "registry",
                    "mode");
        }
    }

    private void retention() {
        boolean archived = config.given("retention", "archive").isPresent();
        if (archived) {
            chosen(
                    given -> faults.add(Fault.of(
                            given, "with an archive, events leave the log at retention.archive-after. Leave it out")),
                    "retention",
                    "log");
        } else {
            chosen(
                    given -> faults.add(Fault.of(
                            given, "it says when events are archived, but not where to. Set retention.archive too")),
                    "retention",
                    "archive-after");
        }
    }

    private void http() {
        Optional<Given> address = config.given("http", "address");
        boolean open = address.isPresent()
                && Settings.of(address.get().key())
                        .flatMap(setting -> setting.form().faultOf(address.get().text()))
                        .isEmpty()
                && HttpAddress.parse(address.get().text())
                        .filter(where -> !HttpAddress.isLoopback(where))
                        .isPresent();
        if (open
                && config.given("http", "metrics-token").isEmpty()
                && config.tokens().isEmpty()) {
            faults.add(Fault.of(
                    address.get(),
                    "others than this host can reach it. Set http.tokens (see posthorn config token), http.metrics-token or"
                            + " the variable METRICS_TOKEN, or use 127.0.0.1"));
        }
        config.tokens().forEach(this::token);
    }

    private void token(String name) {
        for (String part : List.of("role", "sha256")) {
            if (config.given("http", "tokens", name, part).isEmpty()) {
                faults.add(Fault.missing(
                        "http.tokens." + name + "." + part,
                        "a token needs its role and its sha256; this one is missing"));
            }
        }
        try {
            new Tokens.Token(name, Role.VIEWER, "0".repeat(64));
        } catch (IllegalArgumentException invalid) {
            faults.add(Fault.missing("http.tokens." + name, String.valueOf(invalid.getMessage())));
        }
    }

    private void chosen(Consumer<Given> then, String... key) {
        if (config.isChosen(key)) {
            config.given(key).ifPresent(then);
        }
    }
}
