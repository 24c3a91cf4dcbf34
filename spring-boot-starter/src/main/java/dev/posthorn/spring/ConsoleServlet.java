package dev.posthorn.spring;

import dev.posthorn.console.Answer;
import dev.posthorn.console.Console;
import dev.posthorn.console.Request;
import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletRequestWrapper;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The console on the web server of the application.
 *
 * <p>Few of the server's threads work on it at once, and readers of the stream have threads of their own, so the application's
 * own requests do not wait for it. More than that is refused with 429.
 *
 * <p>The console gets the request as it came over the wire, without what filters before this made of it.
 */
final class ConsoleServlet extends HttpServlet {

    private static final long serialVersionUID = 1L;
    private static final Logger LOG = LoggerFactory.getLogger(ConsoleServlet.class);
    private static final int AT_ONCE = 6;
    private static final long PATIENCE_SECONDS = 2;
    private static final int STREAMS = 32;

    private final transient ConsoleHost host;
    private final transient Semaphore desk = new Semaphore(AT_ONCE, true);
    private final transient ExecutorService streams = threads();

    ConsoleServlet(ConsoleHost host) {
        this.host = host;
    }

    private static ExecutorService threads() {
        AtomicInteger number = new AtomicInteger();
        return new ThreadPoolExecutor(0, STREAMS, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), work -> {
            Thread created = new Thread(work, "posthorn-http-stream-" + number.getAndIncrement());
            created.setDaemon(true);
            return created;
        });
    }

    @Override
    public void destroy() {
        streams.shutdownNow();
    }

    @Override
    protected void service(HttpServletRequest asked, HttpServletResponse response) throws IOException {
        if (asked.getPathInfo() == null) {
            toFolder(asked, response);
            return;
        }
        Request request = request(asked);
        boolean head = request.method().equals("HEAD");
        Answer answer = host.isQuick(request) ? host.answer(request) : inTurn(request);
        if (answer.isStreamed() && !head) {
            stream(asked, response, answer);
        } else {
            send(response, answer, head);
        }
    }

    /** The page asks for what lies below it, so its address must end with a slash. Relative, for proxies that add a prefix. */
    private static void toFolder(HttpServletRequest asked, HttpServletResponse response) {
        String path = asked.getServletPath();
        response.setStatus(HttpServletResponse.SC_FOUND);
        response.setHeader("Location", path.substring(path.lastIndexOf('/') + 1) + "/");
    }

    private Answer inTurn(Request request) {
        try {
            if (!desk.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return Console.tooBusy();
            }
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return Console.away();
        }
        try {
            return host.answer(request);
        } finally {
            desk.release();
        }
    }

    private void stream(HttpServletRequest asked, HttpServletResponse response, Answer answer) throws IOException {
        AsyncContext async = asked.startAsync();
        async.setTimeout(0);
        try {
            streams.execute(() -> flow(async, response, answer));
        } catch (RejectedExecutionException full) {
            send(response, Console.tooBusy(), false);
            async.complete();
        }
    }

    private static void flow(AsyncContext async, HttpServletResponse response, Answer answer) {
        try {
            send(response, answer, false);
        } catch (IOException gone) {
            LOG.debug("Nobody reads the stream any more", gone);
        } finally {
            end(async);
        }
    }

    private static void end(AsyncContext async) {
        try {
            async.complete();
        } catch (IllegalStateException ended) {
            LOG.debug("The server has ended the stream by itself", ended);
        }
    }

    private static void send(HttpServletResponse response, Answer answer, boolean head) throws IOException {
        response.setStatus(answer.status());
        answer.headers().forEach(response::setHeader);
        if (!head) {
            answer.body().length().ifPresent(response::setContentLengthLong);
            answer.body().writeTo(response.getOutputStream());
        }
    }

    private static Request request(HttpServletRequest asked) throws IOException {
        HttpServletRequest sent = asSent(asked);
        Map<String, String> headers = new HashMap<>();
        sent.getHeaderNames().asIterator().forEachRemaining(name -> headers.put(name, sent.getHeader(name)));
        String query = sent.getQueryString();
        return new Request(sent.getMethod(), pathOf(sent), query == null ? "" : query, headers, asked.getInputStream());
    }

    private static HttpServletRequest asSent(HttpServletRequest asked) {
        ServletRequest inner = asked;
        while (inner instanceof ServletRequestWrapper wrapper) {
            inner = wrapper.getRequest();
        }
        return inner instanceof HttpServletRequest sent ? sent : asked;
    }

    /** What follows the place where this is, with nothing decoded. Whoever encodes that place finds nothing here. */
    private static String pathOf(HttpServletRequest sent) {
        String place = sent.getContextPath() + sent.getServletPath();
        String path = sent.getRequestURI();
        return path.startsWith(place) ? path.substring(place.length()) : path;
    }
}
