package dev.posthorn.console;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.posthorn.event.PosthornException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A console on the JDK's own HTTP server.
 *
 * <p>What comes from memory, such as health, never waits behind what needs the database, and neither waits behind readers of the
 * stream. More work than a queue holds is refused with 429. The JDK's server listens on loopback only, behind an {@link HttpAcceptor}
 * that answers probes itself.
 */
public final class HttpDesk implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(HttpDesk.class);
    private static final int QUICK = 16;
    private static final int WORKERS = 6;
    private static final int STREAMS = 32;
    private static final int WAITING = 512;

    /** Less than 64 KiB or so, in digits. */
    private static final Pattern SHORT = Pattern.compile("\\d{1,4}|[1-5]\\d{4}");

    static {
        // Whoever begins a request and does not end it must not hold a thread for ever. The server has no other way to
        // say so. It can not tell a stream from a slow reader, so a stream lives no longer than an answer may take.
        setUnlessSet("sun.net.httpserver.maxReqTime", "5");
        setUnlessSet("sun.net.httpserver.maxRspTime", "300");
        setUnlessSet("sun.net.httpserver.nodelay", "true");
    }

    private static void setUnlessSet(String property, String value) {
        if (System.getProperty(property) == null) {
            System.setProperty(property, value);
        }
    }

    private final HttpServer server;
    private final HttpAcceptor acceptor;
    private final Console console;
    private final ExecutorService quick = threads("posthorn-http", QUICK, new ArrayBlockingQueue<>(WAITING));
    private final ExecutorService workers = threads("posthorn-http-desk", WORKERS, new ArrayBlockingQueue<>(WAITING));
    private final ExecutorService streams = threads("posthorn-http-stream", STREAMS, new SynchronousQueue<>());

    private HttpDesk(HttpServer server, InetSocketAddress where, Console console) throws IOException {
        this.server = server;
        this.console = console;
        this.acceptor = new HttpAcceptor(where, server.getAddress(), console::answer);
        server.setExecutor(quick);
        server.createContext("/", this::handle);
    }

    /** Begins to answer. Fails if the address is taken. */
    public static HttpDesk open(InetSocketAddress where, Console console) {
        try {
            InetSocketAddress resolved = new InetSocketAddress(where.getHostString(), where.getPort());
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), WAITING);
            try {
                HttpDesk desk = new HttpDesk(server, resolved, console);
                server.start();
                return desk;
            } catch (IOException | RuntimeException taken) {
                server.stop(0);
                throw taken;
            }
        } catch (IOException | IllegalArgumentException taken) {
            throw new PosthornException(
                    "Nothing can be answered at " + where.getHostString() + ":" + where.getPort() + ": "
                            + taken.getMessage() + ". Choose another address (http.address).",
                    taken);
        }
    }

    public int port() {
        return acceptor.port();
    }

    @Override
    public void close() {
        acceptor.close();
        server.stop(0);
        quick.shutdownNow();
        workers.shutdownNow();
        streams.shutdownNow();
    }

    private static ExecutorService threads(String name, int most, BlockingQueue<Runnable> queue) {
        AtomicInteger number = new AtomicInteger();
        ThreadPoolExecutor threads = new ThreadPoolExecutor(
                queue instanceof SynchronousQueue ? 0 : most, most, 60, TimeUnit.SECONDS, queue, work -> {
                    Thread created = new Thread(work, name + "-" + number.getAndIncrement());
                    created.setDaemon(true);
                    return created;
                });
        if (threads.getCorePoolSize() > 0) {
            threads.allowCoreThreadTimeOut(true);
        }
        return threads;
    }

    private void handle(HttpExchange exchange) throws IOException {
        Request request = request(exchange, body(exchange));
        if (console.isQuick(request)) {
            answer(exchange, request);
        } else {
            orRefuse(exchange, workers, () -> answer(exchange, request));
        }
    }

    private void answer(HttpExchange exchange, Request request) {
        Answer answer = console.answer(request);
        if (answer.isStreamed() && !request.method().equals("HEAD")) {
            orRefuse(exchange, streams, () -> send(exchange, answer, false));
        } else {
            send(exchange, answer, request.method().equals("HEAD"));
        }
    }

    private static void orRefuse(HttpExchange exchange, ExecutorService threads, Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException full) {
            send(exchange, Console.tooBusy(), false);
        }
    }

    /**
     * A short body is read at once, for the server ends a request whose body nobody has read in time, and this one may have to
     * wait for its turn. Whether a long one is wanted at all is for the console to say.
     */
    private static InputStream body(HttpExchange exchange) throws IOException {
        String length = exchange.getRequestHeaders().getFirst("Content-Length");
        boolean isShort = length != null && SHORT.matcher(length).matches();
        return isShort ? new ByteArrayInputStream(exchange.getRequestBody().readAllBytes()) : exchange.getRequestBody();
    }

    private static Request request(HttpExchange exchange, InputStream body) {
        Map<String, String> headers = new HashMap<>();
        exchange.getRequestHeaders().forEach((name, values) -> headers.put(name, values.get(0)));
        String query = exchange.getRequestURI().getRawQuery();
        return new Request(
                exchange.getRequestMethod(),
                String.valueOf(exchange.getRequestURI().getRawPath()),
                query == null ? "" : query,
                headers,
                body);
    }

    private static void send(HttpExchange exchange, Answer answer, boolean head) {
        try (exchange) {
            answer.headers().forEach(exchange.getResponseHeaders()::set);
            long length = answer.body().length().orElse(0);
            boolean empty = head || (length == 0 && answer.body().length().isPresent());
            exchange.sendResponseHeaders(answer.status(), empty ? -1 : length);
            if (!empty) {
                answer.body().writeTo(exchange.getResponseBody());
            }
        } catch (IOException gone) {
            LOG.debug("Nobody waits for the answer any more", gone);
        } catch (RuntimeException unexpected) {
            LOG.warn("An answer was not sent", unexpected);
        }
    }
}
