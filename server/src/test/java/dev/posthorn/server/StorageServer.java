package dev.posthorn.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URLDecoder;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** As much of the JSON interface of Google Cloud Storage as a store of payloads calls, with one bucket, in memory. */
final class StorageServer implements AutoCloseable {

    private static final Pattern NAME = Pattern.compile("\"name\" ?: ?\"([^\"]+)\"");

    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Kept(byte[] content, long generation, Instant at) {}

    private final Map<String, Kept> kept = new ConcurrentHashMap<>();
    private final AtomicLong generations = new AtomicLong();
    private final HttpServer server;

    private StorageServer(HttpServer server) {
        this.server = server;
    }

    static StorageServer start() throws IOException {
        StorageServer started =
                new StorageServer(HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0));
        started.server.createContext("/", started::answer);
        started.server.start();
        return started;
    }

    String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            String path = call.getRequestURI().getRawPath();
            if (path.startsWith("/upload/")) {
                say(call, 200, json(put(call)));
                return;
            }
            String name = URLDecoder.decode(path.substring(path.lastIndexOf('/') + 1), UTF_8);
            Kept found = kept.get(name);
            if (found == null) {
                say(call, 404, "{\"error\": {\"code\": 404, \"message\": \"none\"}}".getBytes(UTF_8));
            } else if (call.getRequestMethod().equals("DELETE")) {
                kept.remove(name);
                call.sendResponseHeaders(204, -1);
            } else if (String.valueOf(call.getRequestURI().getQuery()).contains("alt=media")) {
                call.getResponseHeaders().set("X-Goog-Generation", Long.toString(found.generation()));
                say(call, 200, found.content());
            } else {
                say(call, 200, json(name));
            }
        }
    }

    /** Two parts: what it is, then its bytes. */
    private String put(HttpExchange call) throws IOException {
        String type = String.valueOf(call.getRequestHeaders().getFirst("Content-Type"));
        String boundary = "--" + type.replaceAll(".*boundary=\"?([^\";]+)\"?.*", "$1");
        boolean zipped = "gzip".equals(call.getRequestHeaders().getFirst("Content-Encoding"));
        InputStream sent = zipped ? new GZIPInputStream(call.getRequestBody()) : call.getRequestBody();
        String body = new String(sent.readAllBytes(), ISO_8859_1);
        String[] parts = body.split(Pattern.quote(boundary), -1);
        Matcher name = NAME.matcher(parts[1]);
        if (!name.find()) {
            throw new IOException("no name in " + parts[1]);
        }
        String content = parts[2].substring(parts[2].indexOf("\r\n\r\n") + 4, parts[2].length() - 2);
        kept.put(name.group(1), new Kept(content.getBytes(ISO_8859_1), generations.incrementAndGet(), Instant.now()));
        return name.group(1);
    }

    private byte[] json(String name) {
        Kept one = kept.getOrDefault(name, new Kept(new byte[0], 0, Instant.EPOCH));
        return ("{\"kind\": \"storage#object\", \"bucket\": \"payloads\", \"name\": \"" + name
                        + "\", \"generation\": \""
                        + one.generation() + "\", \"size\": \"" + one.content().length + "\", \"updated\": \""
                        + one.at()
                        + "\", \"timeCreated\": \"" + one.at() + "\"}")
                .getBytes(UTF_8);
    }

    private static void say(HttpExchange call, int status, byte[] body) throws IOException {
        call.getResponseHeaders().set("Content-Type", "application/json");
        call.sendResponseHeaders(status, body.length);
        call.getResponseBody().write(body);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
