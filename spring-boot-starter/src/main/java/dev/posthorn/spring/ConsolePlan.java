package dev.posthorn.spring;

import dev.posthorn.console.GeneratedToken;
import dev.posthorn.console.HttpAddress;
import dev.posthorn.console.Role;
import dev.posthorn.console.Tokens;
import dev.posthorn.spring.PosthornConsoleProperties.TokenProperties;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.springframework.core.env.Environment;

/**
 * The console from properties.
 *
 * @param path below which a servlet web application has it; of no meaning with an address
 * @param address the dedicated address, if it has one
 * @param generated the token of this start, if none is configured
 */
record ConsolePlan(
        String path, Optional<InetSocketAddress> address, Tokens tokens, Optional<GeneratedToken> generated) {

    private static final String ROOT = "posthorn.console.";
    private static final List<String> TLS =
            List.of("server.ssl.key-store", "server.ssl.certificate", "server.ssl.bundle");
    private static final Pattern PATH = Pattern.compile("(/[A-Za-z0-9._~-]+)+");

    /** Adds every fault; the plan is of no use then. */
    static ConsolePlan read(PosthornConsoleProperties given, boolean servlet, StartFaults start) {
        List<String> faults = new ArrayList<>();
        List<Tokens.Token> tokens = new ArrayList<>();
        given.tokens().forEach((name, token) -> token(name, token, faults).ifPresent(tokens::add));
        boolean open = given.tokens().isEmpty();
        Optional<InetSocketAddress> address = address(given, open, faults);
        if (given.address() == null && !servlet) {
            faults.add(ROOT + "enabled is true, but this is no servlet web application that could answer below "
                    + given.path() + "; name an address of the console's own, such as " + ROOT
                    + "address=127.0.0.1:8025");
        }
        if (!PATH.matcher(given.path()).matches()) {
            faults.add(ROOT + "path is \"" + given.path() + "\", but must be one like /posthorn, with no / at its end");
        }
        faults.forEach(start::add);
        Optional<GeneratedToken> generated = open ? Optional.of(new GeneratedToken()) : Optional.empty();
        Tokens known = generated.map(GeneratedToken::tokens).orElseGet(() -> Tokens.of(tokens));
        return new ConsolePlan(given.path(), address, known.withPublicMetrics(given.publicMetrics()), generated);
    }

    private static Optional<InetSocketAddress> address(
            PosthornConsoleProperties given, boolean open, List<String> faults) {
        if (given.address() == null) {
            return Optional.empty();
        }
        try {
            InetSocketAddress address = HttpAddress.parse(given.address())
                    .orElseThrow(() -> new IllegalArgumentException("it is switched off by " + ROOT + "enabled"));
            if (open && !HttpAddress.isLoopback(address)) {
                faults.add(ROOT + "address is " + given.address()
                        + ", so others than this host can reach it; configure " + ROOT + "tokens, or use 127.0.0.1");
            }
            return Optional.of(address);
        } catch (IllegalArgumentException wrong) {
            faults.add(ROOT + "address is \"" + given.address() + "\", but must be one like 127.0.0.1:8025");
            return Optional.empty();
        }
    }

    private static Optional<Tokens.Token> token(String name, TokenProperties given, List<String> faults) {
        String property = ROOT + "tokens." + name;
        Map<String, Role> roles = Arrays.stream(Role.values()).collect(Collectors.toMap(Role::word, role -> role));
        String role = given.role() == null ? "" : given.role().toLowerCase(Locale.ROOT);
        String hash = given.sha256() == null ? "" : given.sha256();
        Role found = roles.get(role);
        if (found == null) {
            faults.add(property + ".role is \"" + role + "\", but must be metrics, viewer, operator or admin");
        }
        try {
            return Optional.of(new Tokens.Token(name, found == null ? Role.METRICS : found, hash));
        } catch (IllegalArgumentException wrong) {
            faults.add(property + ": " + wrong.getMessage());
            return Optional.empty();
        }
    }

    /** Returns the address of the page. The port of the web server is known once it has started. */
    String page(Environment environment, Optional<Integer> ownPort) {
        if (address.isPresent()) {
            return "http://" + address.get().getHostString() + ":" + ownPort.orElse(0) + "/";
        }
        boolean tls = TLS.stream().anyMatch(environment::containsProperty);
        return (tls ? "https" : "http") + "://localhost:" + webPort(environment)
                + environment.getProperty("server.servlet.context-path", "") + path + "/";
    }

    /** Returns the port where the console is answered. */
    int port(Environment environment, Optional<Integer> ownPort) {
        return ownPort.orElseGet(() -> webPort(environment));
    }

    private static int webPort(Environment environment) {
        return environment.getProperty("local.server.port", Integer.class, 0);
    }
}
