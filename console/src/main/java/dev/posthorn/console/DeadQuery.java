package dev.posthorn.console;

import dev.posthorn.postgres.DeadEntry;
import dev.posthorn.postgres.DeadEntry.Station;
import dev.posthorn.postgres.DeadFilter;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Which dead letters a request asks for, and where a list of them goes on. */
final class DeadQuery {

    static final List<String> NAMES = List.of(
            "station",
            "route",
            "consumer",
            "handler",
            "cause",
            "fingerprint",
            "domain",
            "type",
            "key",
            "tenant",
            "id",
            "from",
            "to");

    private static final int PARTS = 3;

    private DeadQuery() {}

    /** From parameters by their names; null is any. */
    static DeadFilter filter(Function<String, @Nullable String> wish) {
        DeadFilter filter = DeadFilter.all();
        for (String name : NAMES) {
            String value = wish.apply(name);
            if (value != null) {
                filter = with(filter, name, value);
            }
        }
        return filter;
    }

    private static DeadFilter with(DeadFilter filter, String name, String value) {
        return switch (name) {
            case "station" -> filter.station(station(value));
            case "route" -> filter.route(value);
            case "consumer" -> filter.consumer(value);
            case "handler" -> filter.handler(value);
            case "cause" -> filter.cause(value);
            case "fingerprint" -> filter.fingerprint(value);
            case "domain" -> filter.domain(value);
            case "type" -> filter.type(value);
            case "key" -> filter.key(value);
            case "tenant" -> filter.tenant(value);
            case "id" -> filter.id(Call.uuid("id", value));
            case "from" -> filter.since(Call.time("from", value));
            case "to" -> filter.until(Call.time("to", value));
            default -> throw new IllegalStateException("no filter " + name);
        };
    }

    private static Station station(String value) {
        return switch (value) {
            case "route" -> Station.ROUTE;
            case "consumer" -> Station.CONSUMER;
            default -> throw Refusal.invalid("station is \"" + value + "\", but must be route or consumer.");
        };
    }

    /** Where the list goes on after this one. */
    static String cursor(DeadEntry last) {
        String text = last.at() + " " + last.letter() + " " + last.where().name();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    /** As far as it takes to go on. */
    static @Nullable DeadEntry after(@Nullable String cursor) {
        if (cursor == null) {
            return null;
        }
        try {
            String text = new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.UTF_8);
            String[] parts = text.split(" ", PARTS);
            if (parts.length == PARTS) {
                return new DeadEntry(
                        UUID.fromString(parts[1]),
                        new DeadEntry.Where(Station.ROUTE, parts[2], ""),
                        new DeadEntry.What(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty()),
                        new DeadEntry.Why("", "", "", "", 0),
                        false,
                        Call.time("after", parts[0]));
            }
        } catch (IllegalArgumentException invalid) {
            throw Refusal.invalid("after is no place in this list. Take what \"next\" said.");
        }
        throw Refusal.invalid("after is no place in this list. Take what \"next\" said.");
    }
}
