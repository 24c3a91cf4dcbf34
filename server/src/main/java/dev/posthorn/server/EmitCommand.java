package dev.posthorn.server;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.console.Json;
import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "emit",
        description = {
            "Emits one event in a transaction of its own, for scripts. The payload comes from an option or from standard"
                    + " input.",
            ""
        },
        footer = {"  posthorn emit --domain orders --type placed --key order-17 --json-payload '{\"total\": 3}'"})
final class EmitCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(30);

    /** At most one of these; standard input if there is none. */
    static final class Payload {

        @Option(names = "--json-payload", paramLabel = "JSON", description = "The payload, checked to be JSON.")
        private @Nullable String json;

        @Option(names = "--payload-file", paramLabel = "FILE", description = "A file with the payload's exact bytes.")
        private @Nullable Path file;
    }

    @Mixin
    private Asked asked = new Asked();

    @Option(names = "--domain", required = true, paramLabel = "NAME", description = "The event's bounded context.")
    private String domain = "";

    @Option(names = "--type", required = true, paramLabel = "NAME", description = "What happened.")
    private String type = "";

    @Option(names = "--key", paramLabel = "KEY", description = "Events of one key are published in order.")
    private @Nullable String key;

    @Option(
            names = "--id",
            paramLabel = "UUID",
            description = "The event's id, so that the command can be repeated: an id that is there already is not"
                    + " emitted again. Default: a fresh one.")
    private @Nullable UUID id;

    @Option(names = "--sequence", paramLabel = "N", description = "The aggregate's own version.")
    private @Nullable Long sequence;

    @Option(names = "--header", paramLabel = "NAME=VALUE", description = "A header; may be given several times.")
    private Map<String, String> headers = Map.of();

    @Option(
            names = "--content-type",
            paramLabel = "TYPE",
            defaultValue = "application/json",
            description = "Of a payload from a file or standard input. Default: ${DEFAULT-VALUE}.")
    private String contentType = "application/json";

    @ArgGroup
    private @Nullable Payload payload;

    @Option(names = "--reason", paramLabel = "TEXT", description = "Why, for the record; only with --url.")
    private @Nullable String reason;

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() throws IOException, InterruptedException {
        byte[] bytes = bytes();
        Event event = event(bytes);
        ObjectNode done = asked.isRemote()
                ? asked.answers(ANSWER).change(Ask.of("events"), body(event, bytes), (source, schema) -> Json.object())
                : Json.object()
                        .put("id", event.id().toString())
                        .put("emitted", !emit(event).emitted().isEmpty());
        output.print(
                done,
                answer ->
                        answer.path("id").asText() + (answer.path("emitted").asBoolean() ? "" : " was emitted before"));
        return 0;
    }

    /** With the payload's exact bytes. */
    private ObjectNode body(Event event, byte[] bytes) {
        ObjectNode body = Json.object()
                .put("reason", reason)
                .put("id", event.id().toString())
                .put("domain", domain)
                .put("type", type)
                .put("key", key)
                .put("content_type", event.contentType())
                .put("payload_base64", bytes);
        if (sequence != null) {
            body.put("sequence", sequence);
        }
        body.set("headers", Json.texts(headers));
        return body;
    }

    private byte[] bytes() throws IOException {
        if (payload != null && payload.json != null) {
            return payload.json.getBytes(StandardCharsets.UTF_8);
        }
        if (payload != null && payload.file != null) {
            if (!Files.isReadable(payload.file)) {
                throw new PosthornException("The file " + payload.file + " can not be read. Nothing was emitted.");
            }
            return Files.readAllBytes(payload.file);
        }
        return System.in.readAllBytes();
    }

    private Event event(byte[] bytes) {
        boolean fromOption = payload != null && payload.json != null;
        String kind = fromOption ? "application/json" : contentType;
        if (kind.equals("application/json") && !Json.isValid(bytes)) {
            throw new PosthornException(
                    "The payload is not valid JSON. Nothing was emitted. Correct it, or name what it"
                            + " is with --content-type.");
        }
        EventBuilder builder = Event.of(domain, type).key(key).headers(headers).payload(bytes, kind);
        if (id != null) {
            builder.id(id);
        }
        if (sequence != null) {
            builder.sequence(sequence);
        }
        return builder.build();
    }

    private Emission emit(Event event) {
        EmitOption[] options = id == null
                ? new EmitOption[] {EmitOption.WITH_COMMIT}
                : new EmitOption[] {EmitOption.WITH_COMMIT, EmitOption.IDEMPOTENT};
        PostgresOutbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT
                .withSchema(asked.database().schema())
                .withMaxPayloadBytes(PostgresOutboxConfig.MOST_PAYLOAD_BYTES));
        try (HikariDataSource source = asked.database().connect(ANSWER);
                Connection connection = source.getConnection()) {
            connection.setAutoCommit(false);
            return outbox.emit(connection, List.of(event), options);
        } catch (SQLException e) {
            throw new PosthornException(
                    "It is not known whether event " + event.id() + " was emitted: " + e.getMessage()
                            + ". Repeat the command with --id " + event.id() + " to be sure.",
                    e);
        }
    }
}
