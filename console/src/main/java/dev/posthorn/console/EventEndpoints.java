package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.console.Endpoint.Manual;
import dev.posthorn.postgres.PostgresEventContent;
import dev.posthorn.postgres.PostgresEventContent.Envelope;
import dev.posthorn.postgres.PostgresEventContent.Payload;
import dev.posthorn.postgres.PostgresEventStory;
import dev.posthorn.postgres.PostgresEventStory.Story;
import dev.posthorn.postgres.PostgresEvents;
import dev.posthorn.postgres.PostgresInspection;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Events and keys, to be looked at. */
final class EventEndpoints {

    private static final int PAGE = 50;
    private static final int OF_A_KEY = 20;
    private static final int LONGEST_PAYLOAD = 256 * 1024;

    private final ConsoleSetup setup;
    private final Live live;

    EventEndpoints(ConsoleSetup setup, Live live) {
        this.setup = setup;
        this.live = live;
    }

    List<Endpoint> all() {
        return List.of(
                Endpoint.get(
                        "/v1/events",
                        Right.READ,
                        Manual.of(
                                "The newest events of the log, the last one first. A short or empty page may have a next one.",
                                "Events",
                                "domain",
                                "type",
                                "tenant",
                                "key",
                                "correlation",
                                "state",
                                "before",
                                "limit"),
                        this::events),
                Endpoint.get(
                        "/v1/events/{id}",
                        Right.READ,
                        Manual.of("The story of one event. Headers are shown to operators.", "Event"),
                        this::event),
                Endpoint.get(
                        "/v1/events/{id}/payload",
                        Right.PAYLOADS,
                        Manual.of("The payload of one event, up to 256 KiB of it.", "Payload"),
                        this::payload),
                Endpoint.get(
                        "/v1/events/{id}/payload/file",
                        Right.PAYLOADS,
                        Manual.of("The whole payload of one event, as a file.", Endpoint.DOWNLOAD),
                        this::payloadFile),
                Endpoint.get(
                        "/v1/keys/{key}",
                        Right.READ,
                        Manual.of("Where a key waits and for what, and its newest events.", "Key", "limit"),
                        call -> key(call, call.variable("key"))),
                Endpoint.get(
                        "/v1/keys",
                        Right.READ,
                        Manual.of(
                                "The same of the key in the query, where a web server takes no path with an encoded slash.",
                                "Key",
                                "key",
                                "limit"),
                        this::keyInQuery));
    }

    private Answer events(Call call) {
        long before = call.number("before", PostgresEvents.END, 1, PostgresEvents.END);
        return Answer.json(new EventSearch(live.desk()).page(EventSearch.Wish.of(call), before, call.limit(PAGE)));
    }

    private Answer event(Call call) {
        UUID id = call.id("id");
        Desk desk = live.desk();
        Story story = new PostgresEventStory(desk.database(), desk.schema()).of(id);
        if (story.event().isEmpty() && story.happenings().isEmpty()) {
            throw missing(id);
        }
        ObjectNode json = EventsFormat.story(story);
        content(desk).envelope(id).ifPresent(envelope -> add(json, envelope, call));
        return Answer.json(json);
    }

    private void add(ObjectNode json, Envelope envelope, Call call) {
        boolean headers = call.may(Right.PAYLOADS);
        json.put("content_type", envelope.contentType())
                .put("payload_size", envelope.payloadSize())
                .put("occurred_at", envelope.times().occurredAt().toString())
                .put("created_at", envelope.times().createdAt().toString())
                .put("deliver_after", Json.time(envelope.times().deliverAfter()))
                .put("correlation_id", envelope.links().correlationId().orElse(null))
                .put("causation_id", envelope.links().causationId().orElse(null))
                .put("traceparent", envelope.links().traceparent().orElse(null));
        envelope.sequence().ifPresentOrElse(sequence -> json.put("sequence", sequence), () -> json.putNull("sequence"));
        json.put("redacted", !headers);
        json.set("headers", headers ? Json.texts(disclosure(call).texts(envelope.headers())) : Json.object());
    }

    private Answer payload(Call call) {
        UUID id = call.id("id");
        Payload payload = content(live.desk()).payload(id, LONGEST_PAYLOAD).orElseThrow(() -> missing(id));
        Disclosure disclosure = disclosure(call);
        byte[] shown = disclosure.bytes(payload.beginning(), payload.contentType());
        ObjectNode json = Json.object()
                .put("content_type", payload.contentType())
                .put("size", payload.size())
                .put("truncated", payload.size() > payload.beginning().length)
                .put("redacted", !disclosure.isWhole());
        utf8(shown).ifPresentOrElse(text -> json.put("text", text), () -> json.put("base64", shown));
        return Answer.json(json);
    }

    private Answer payloadFile(Call call) {
        UUID id = call.id("id");
        return Downloads.of(call, setup, id + ".payload", content(live.desk()).whole(id));
    }

    private Disclosure disclosure(Call call) {
        return call.disclosure(setup.facts().disclosure());
    }

    /** Empty if it is no text. A text that was cut inside a character is one nevertheless, and is told without that. */
    private static Optional<String> utf8(byte[] bytes) {
        for (int cut = 0; cut < 4 && cut <= bytes.length; cut++) {
            try {
                return Optional.of(StandardCharsets.UTF_8
                        .newDecoder()
                        .decode(ByteBuffer.wrap(bytes, 0, bytes.length - cut))
                        .toString());
            } catch (CharacterCodingException binaryOrCut) {
                if (bytes.length < LONGEST_PAYLOAD) {
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    private Answer keyInQuery(Call call) {
        String key = call.wish("key");
        if (key == null) {
            throw Refusal.invalid("The parameter key is missing. Say which one, as in /v1/keys?key=17.");
        }
        return key(call, key);
    }

    private Answer key(Call call, String key) {
        Desk desk = live.desk();
        return Answer.json(KeysFormat.json(
                key,
                new PostgresInspection(desk.database(), desk.schema()).key(key),
                new PostgresEvents(desk.database(), desk.schema())
                        .ofKey(key, PostgresEvents.END, call.limit(OF_A_KEY))));
    }

    private static PostgresEventContent content(Desk desk) {
        return new PostgresEventContent(desk.database(), desk.schema());
    }

    private static Refusal missing(UUID id) {
        return Refusal.missing(
                "Event " + id + " is not in the log: it was not emitted or not committed, or it was pruned."
                        + " If this log is archived, try posthorn archive show --folder FOLDER --id " + id);
    }
}
