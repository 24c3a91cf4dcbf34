package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.posthorn.event.PosthornException;
import dev.posthorn.operations.Health;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers for health and metrics over HTTP, with the JDK's own server: two pages need no library. Whoever asks waits for no
 * database: all answers come from memory.
 *
 * <p>Metrics and the whole of health are for who brings the token, or is on this host if there is none. Others get to know
 * whether the process is well, in one word.
 */
final class HttpDesk implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpDesk.class);
    private static final String JSON = "application/json";
    private static final String BEARER = "Bearer ";
    private static final int THREADS = 4;
    private static final int WAITING = 16;

    static {
        // Whoever begins a request and does not end it must not hold a thread for ever. The server has no other way to
        // say so.
        setUnlessSet("sun.net.httpserver.maxReqTime", "5");
        setUnlessSet("sun.net.httpserver.maxRspTime", "30");
    }

    private static void setUnlessSet(String property, String seconds) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, seconds);
        }
    }

    /** What is answered with. */
    private record Answer(int code, String type, String body) {

        static Answer json(int code, ObjectNode body) {
            return new Answer(code, JSON, Json.line(body) + "\n");
        }

        static Answer wrong(int code, String why) {
            return json(code, Json.object().put("error", why));
        }
    }

    private final HttpServer server;
    private final Health health;
    private final PrometheusMeterRegistry registry;
    private final @Nullable String token;
    private final ExecutorService threads;

    private HttpDesk(HttpServer server, Health health, PrometheusMeterRegistry registry, @Nullable String token) {
        this.server = server;
        this.health = health;
        this.registry = registry;
        this.token = token;
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(THREADS, work -> {
            Thread created = new Thread(work, "posthorn-http-" + number.getAndIncrement());
            created.setDaemon(true);
            return created;
        });
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    static HttpDesk open(
            InetSocketAddress where, Optional<String> token, Health health, PrometheusMeterRegistry registry) {
        try {
            InetSocketAddress resolved = new InetSocketAddress(where.getHostString(), where.getPort());
            HttpDesk desk = new HttpDesk(HttpServer.create(resolved, WAITING), health, registry, token.orElse(null));
            desk.server.start();
            return desk;
        } catch (IOException | IllegalArgumentException taken) {
            throw new PosthornException(
                    "Health and metrics can not be answered at " + where.getHostString() + ":" + where.getPort() + ": "
                            + taken.getMessage() + ". Choose another http.address, or off.",
                    taken);
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            Answer answer;
            try {
                answer = answer(exchange);
            } catch (RuntimeException unexpected) {
                LOG.warn("A request was not answered", unexpected);
                answer = Answer.wrong(500, "something went wrong here; see the log of the process");
            }
            byte[] body = answer.body().getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", answer.type());
            exchange.getResponseHeaders().set("Cache-Control", "no-store");
            boolean head = exchange.getRequestMethod().equals("HEAD");
            exchange.sendResponseHeaders(answer.code(), head ? -1 : body.length);
            if (!head) {
                exchange.getResponseBody().write(body);
            }
        }
    }

    private Answer answer(HttpExchange exchange) {
        String method = exchange.getRequestMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.wrong(405, "only GET is answered here");
        }
        return switch (exchange.getRequestURI().getPath()) {
            case "/v1/health" -> health(exchange);
            case "/v1/health/live" -> word(health.report(), Health.Report::live);
            case "/v1/health/ready" -> word(health.report(), Health.Report::ready);
            case "/v1/metrics" -> metrics(exchange);
            default -> Answer.wrong(404, "there are /v1/health, /v1/health/live, /v1/health/ready and /v1/metrics");
        };
    }

    private Answer health(HttpExchange exchange) {
        Health.Report report = health.report();
        return isTrusted(exchange)
                ? Answer.json(report.ready() ? 200 : 503, HealthFormat.json(report))
                : word(report, Health.Report::ready);
    }

    private static Answer word(Health.Report report, Predicate<Health.Report> good) {
        return Answer.json(good.test(report) ? 200 : 503, Json.object().put("status", report.word()));
    }

    private Answer metrics(HttpExchange exchange) {
        if (!isTrusted(exchange)) {
            return Answer.wrong(
                    token == null ? 403 : 401,
                    token == null
                            ? "without http.metrics-token only this host may scrape"
                            : "bring the token, as x-metrics-token or as Authorization: Bearer");
        }
        return new Answer(200, "text/plain; version=0.0.4; charset=utf-8", registry.scrape());
    }

    private boolean isTrusted(HttpExchange exchange) {
        if (token == null) {
            return exchange.getRemoteAddress().getAddress().isLoopbackAddress();
        }
        String plain = exchange.getRequestHeaders().getFirst("x-metrics-token");
        String bearer = exchange.getRequestHeaders().getFirst("Authorization");
        return isToken(plain)
                || (bearer != null
                        && bearer.regionMatches(true, 0, BEARER, 0, BEARER.length())
                        && isToken(bearer.substring(BEARER.length()).strip()));
    }

    /** Takes as long for a token that is nearly right as for any other. */
    private boolean isToken(@Nullable String given) {
        return given != null
                && token != null
                && MessageDigest.isEqual(
                        given.getBytes(StandardCharsets.UTF_8), token.getBytes(StandardCharsets.UTF_8));
    }
}
