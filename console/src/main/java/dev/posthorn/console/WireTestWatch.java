package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresConsumerDesk;
import dev.posthorn.postgres.PostgresConsumerDesk.ConsumerStatus;
import dev.posthorn.postgres.PostgresEventStory;
import dev.posthorn.postgres.PostgresEventStory.Happening;
import dev.posthorn.postgres.PostgresEventStory.OnRoute;
import dev.posthorn.postgres.PostgresEventStory.Story;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.Schema;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;

/** Looks how far the event of a wire test has come, and what stands in its way. */
public final class WireTestWatch {

    /** A place on the way, and when the event was there; or why it is not. */
    private record Hop(String what, String where, Optional<Instant> at, String detail) {}

    private final DataSource source;
    private final Schema schema;
    private final UUID event;
    private final String route;
    private final List<String> consumers;
    private Story story;

    public WireTestWatch(DataSource source, Schema schema, UUID event, String route, List<String> consumers) {
        this.source = source;
        this.schema = schema;
        this.event = event;
        this.route = route;
        this.consumers = List.copyOf(consumers);
        this.story = new Story(event, Optional.empty(), List.of(), List.of());
    }

    UUID event() {
        return event;
    }

    /** Looks again: whether there is nothing more to wait for. */
    public boolean isOver() {
        story = new PostgresEventStory(source, schema).of(event);
        return isThrough()
                || onRoute().filter(it -> it.state().equals("FAILED")).isPresent();
    }

    /** Whether it was everywhere where it should be, at the last look. */
    public boolean isThrough() {
        return onRoute().flatMap(OnRoute::publishedAt).isPresent()
                && consumers.stream().allMatch(consumer -> received(consumer).isPresent());
    }

    private Optional<OnRoute> onRoute() {
        return story.routes().stream().filter(one -> one.route().equals(route)).findFirst();
    }

    private Optional<Instant> received(String consumer) {
        return story.happenings().stream()
                .filter(one -> one.what().equals("handled")
                        && one.place().filter(("consumer " + consumer)::equals).isPresent())
                .map(Happening::at)
                .findFirst();
    }

    private Optional<Instant> emitted() {
        return story.happenings().stream()
                .filter(one -> one.what().equals("emitted"))
                .map(Happening::at)
                .findFirst();
    }

    private List<Hop> hops() {
        List<Hop> hops = new ArrayList<>();
        hops.add(new Hop("emitted", "the log", emitted(), "not seen; the command's role may not look into the log"));
        Optional<Instant> published = onRoute().flatMap(OnRoute::publishedAt);
        hops.add(new Hop("published", "route " + route, published, published.isPresent() ? "" : whyNotPublished()));
        for (String consumer : consumers) {
            Optional<Instant> received = received(consumer);
            String detail =
                    received.isPresent() ? "" : published.isPresent() ? whyNotReceived(consumer) : "not published yet";
            hops.add(new Hop("received", "consumer " + consumer, received, detail));
        }
        return hops;
    }

    private String whyNotPublished() {
        boolean paused = new PostgresRoutes(source, schema)
                .list().stream()
                        .anyMatch(one ->
                                one.name().equals(route) && one.pausedAt().isPresent());
        if (paused) {
            return "the route is paused; see posthorn routes resume " + route;
        }
        boolean relays = new PostgresInspection(source, schema)
                .relays().stream().anyMatch(relay -> relay.route().equals(route));
        if (!relays) {
            return "no relay of this route is alive; see posthorn relay --route " + route;
        }
        return onRoute()
                .map(it -> "it is " + it.state()
                        + it.lastError().map(error -> ": " + error).orElse("") + "; see posthorn events show " + event)
                .orElse("the route has not seen it");
    }

    private String whyNotReceived(String consumer) {
        Optional<ConsumerStatus> known = new PostgresConsumerDesk(source, schema)
                .list().stream().filter(one -> one.name().equals(consumer)).findFirst();
        if (known.isEmpty()) {
            return "no consumer of this name has ever run on this database";
        }
        if (known.get().pausedAt().isPresent()) {
            return "the consumer is paused; see posthorn consumers resume " + consumer;
        }
        if (known.get().members().stream().allMatch(PostgresConsumerDesk.MemberStatus::isGone)) {
            return "no member of the consumer is alive";
        }
        return known.get().members().stream()
                .flatMap(member -> member.trouble().stream())
                .findFirst()
                .map(trouble -> "a member says: " + trouble)
                .orElse("its members are alive: is it subscribed to this domain and type, on this route's transport?");
    }

    public ObjectNode json() {
        ObjectNode node = Json.object()
                .put("event_id", event.toString())
                .put("route", route)
                .put("ok", isThrough());
        node.set("hops", Json.array(hops(), this::json));
        return node;
    }

    private ObjectNode json(Hop hop) {
        ObjectNode node = Json.object()
                .put("hop", hop.what())
                .put("where", hop.where())
                .put("reached", hop.at().isPresent())
                .put("at", Json.time(hop.at()));
        Optional<Instant> begin = emitted();
        if (hop.at().isPresent() && begin.isPresent()) {
            node.put("ms", Duration.between(begin.get(), hop.at().get()).toNanos() / 1e6);
        } else {
            node.put("why", hop.detail());
        }
        return node;
    }
}
