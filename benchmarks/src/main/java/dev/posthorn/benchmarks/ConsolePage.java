package dev.posthorn.benchmarks;

import dev.posthorn.console.Console;
import dev.posthorn.console.Request;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/**
 * What a screen of the console asks for.
 *
 * @param name of the screen, and what is looked for there
 * @param path with its query
 * @param body what is sent along; empty if nothing is
 */
record ConsolePage(String name, String path, String body) {

    static final String TOKEN = "a-token-of-the-bench";

    private static final Map<String, String> HEADERS =
            Map.of("Host", "localhost", "Content-Type", "application/json", "Authorization", "Bearer " + TOKEN);

    private static final String ID_OF = "SELECT id FROM {schema}.outbox WHERE lane = {schema}.lane_of('%s', NULL)"
            + " AND key = '%1$s' ORDER BY seq %s LIMIT 1";

    private ConsolePage(String name, String path) {
        this(name, path, "");
    }

    /** Every one, with what is usually asked for, and with what is hard to find. */
    static List<ConsolePage> all(BenchContext context, FullLog log) throws SQLException {
        String newest = context.text(String.format(ID_OF, "hot", "DESC"));
        String oldest = context.text(String.format(ID_OF, "hot", "ASC"));
        String dead =
                context.text("SELECT event_id FROM {schema}.detour WHERE kind = 'FAILED' ORDER BY seq DESC LIMIT 1");
        String letter = context.text("SELECT id FROM {schema}.dead_letter ORDER BY seq DESC LIMIT 1");
        String replay = context.text("SELECT id FROM {schema}.replay LIMIT 1");
        String middle = context.text(
                "SELECT to_char(changed_at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"') FROM {schema}.detour"
                        + " WHERE kind = 'FAILED' ORDER BY seq DESC LIMIT 1");
        return List.of(
                new ConsolePage("overview", "/v1/overview"),
                new ConsolePage("history", "/v1/history?minutes=15"),
                new ConsolePage("session", "/v1/session"),
                new ConsolePage("events", "/v1/events?limit=50"),
                new ConsolePage("events, 500", "/v1/events?limit=500"),
                new ConsolePage("events, oldest", "/v1/events?limit=50&before=" + log.events() / 1_000),
                new ConsolePage("events, of a type", "/v1/events?limit=50&type=type-7"),
                new ConsolePage("events, of no type", "/v1/events?limit=50&type=nothing"),
                new ConsolePage("events, of no domain", "/v1/events?limit=50&domain=nothing"),
                new ConsolePage("events, of no tenant", "/v1/events?limit=50&tenant=nothing"),
                new ConsolePage("events, correlation", "/v1/events?limit=50&correlation=correlation-1"),
                new ConsolePage("events, FAILED", "/v1/events?limit=50&state=FAILED"),
                new ConsolePage("events, RETRYING", "/v1/events?limit=50&state=RETRYING"),
                new ConsolePage("events, of a hot key", "/v1/events?limit=50&key=hot"),
                new ConsolePage("events, hot, FAILED", "/v1/events?limit=50&key=hot&state=FAILED"),
                new ConsolePage("events, of no key", "/v1/events?limit=50&key=nothing"),
                new ConsolePage("event, newest", "/v1/events/" + newest),
                new ConsolePage("event, oldest", "/v1/events/" + oldest),
                new ConsolePage("event, dead", "/v1/events/" + dead),
                new ConsolePage("payload", "/v1/events/" + newest + "/payload"),
                new ConsolePage("keys", "/v1/status"),
                new ConsolePage("key, hot", "/v1/keys/hot"),
                new ConsolePage("key", "/v1/keys/key-17"),
                new ConsolePage("key, none", "/v1/keys/nothing"),
                new ConsolePage("dead, by reason", "/v1/dead/groups"),
                new ConsolePage("dead, by reason, type", "/v1/dead/groups?type=type-11"),
                new ConsolePage("dead, by reason, none", "/v1/dead/groups?type=nothing"),
                new ConsolePage("dead, one by one", "/v1/dead?limit=50"),
                new ConsolePage("dead, of a type", "/v1/dead?limit=50&type=type-11"),
                new ConsolePage("dead, of no type", "/v1/dead?limit=50&type=nothing"),
                new ConsolePage("dead, latest", "/v1/dead?limit=50&from=" + middle),
                new ConsolePage("dead event", "/v1/dead/" + dead),
                new ConsolePage("dead letter", "/v1/dead/" + letter),
                new ConsolePage("dead, count", "/v1/dead/count", "{\"filter\": {}}"),
                new ConsolePage("dead, count of a type", "/v1/dead/count", "{\"filter\": {\"type\": \"type-11\"}}"),
                new ConsolePage("replays", "/v1/replays"),
                new ConsolePage("replay", "/v1/replays/" + replay),
                new ConsolePage("jobs", "/v1/jobs"),
                new ConsolePage("routes", "/v1/routes"),
                new ConsolePage("relays", "/v1/relays"),
                new ConsolePage("lanes", "/v1/lanes"),
                new ConsolePage("consumers", "/v1/consumers"),
                new ConsolePage("audit", "/v1/audit?limit=50"),
                new ConsolePage("audit, of nobody", "/v1/audit?limit=50&who=nobody"),
                new ConsolePage("doctor", "/v1/doctor"));
    }

    /** Asks for it, and throws if it is not answered as it should be. */
    String ask(Console console) {
        int mark = path.indexOf('?');
        InputStream sent = new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8));
        Request request = new Request(
                body.isEmpty() ? "GET" : "POST",
                mark < 0 ? path : path.substring(0, mark),
                mark < 0 ? "" : path.substring(mark + 1),
                HEADERS,
                sent);
        var answer = console.answer(request);
        ByteArrayOutputStream written = new ByteArrayOutputStream();
        try {
            answer.body().writeTo(written);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        String text = written.toString(StandardCharsets.UTF_8);
        if (answer.status() != 200) {
            throw new IllegalStateException(path + " was answered " + answer.status() + ": " + text);
        }
        return text;
    }
}
