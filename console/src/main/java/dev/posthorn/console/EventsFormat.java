package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresEventStory.Happening;
import dev.posthorn.postgres.PostgresEventStory.OnRoute;
import dev.posthorn.postgres.PostgresEventStory.Story;
import dev.posthorn.postgres.PostgresEvents.Listed;

/** The story of an event. */
public final class EventsFormat {

    private EventsFormat() {}

    public static ObjectNode json(Listed event) {
        ObjectNode node = Json.object()
                .put("seq", event.seq())
                .put("id", event.id().toString())
                .put("domain", event.domain())
                .put("type", event.type())
                .put("key", event.key().orElse(null))
                .put("tenant", event.tenant().orElse(null))
                .put("emitted_at", event.emittedAt().toString());
        node.set("routes", Json.array(event.states(), state -> {
            int space = state.lastIndexOf(' ');
            return Json.object().put("route", state.substring(0, space)).put("state", state.substring(space + 1));
        }));
        return node;
    }

    public static ObjectNode story(Story story) {
        ObjectNode node = Json.object()
                .put("id", story.id().toString())
                .put("in_log", story.event().isPresent());
        story.event()
                .ifPresent(event -> node.put("domain", event.domain())
                        .put("type", event.type())
                        .put("key", event.key().orElse(null))
                        .put("aggregate", event.aggregate().orElse(null))
                        .put("tenant", event.tenant().orElse(null))
                        .put("seq", event.seq()));
        node.set("routes", Json.array(story.routes(), EventsFormat::json));
        node.set("story", Json.array(story.happenings(), EventsFormat::json));
        return node;
    }

    private static ObjectNode json(OnRoute route) {
        return Json.object()
                .put("route", route.route())
                .put("state", route.state())
                .put("attempts", route.attempts())
                .put("published_at", Json.time(route.publishedAt()))
                .put("next_attempt", Json.future(route.nextAttempt()))
                .put("last_error", route.lastError().orElse(null));
    }

    private static ObjectNode json(Happening one) {
        return Json.object()
                .put("at", one.at().toString())
                .put("what", one.what())
                .put("place", one.place().orElse(null))
                .put("who", one.who().orElse(null))
                .put("detail", one.detail().orElse(null));
    }
}
