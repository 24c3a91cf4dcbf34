package dev.posthorn.transports.postgreslog;

import dev.posthorn.event.PosthornException;
import dev.posthorn.relay.RelayConfig;
import dev.posthorn.relay.RoutePolicy;
import dev.posthorn.relay.RoutePolicy.AfterDead;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.transport.NameRules;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * How a log is used as a bus.
 *
 * @param prefix keeps several buses apart in one log ({@code posthorn})
 * @param route what a subscriber's route is called, over prefix and subscriber ({@code {prefix}-{subscriber}})
 * @param provision whether a subscriber's route is created ({@link Provision#CREATE}), must be there with the same filter
 *     ({@link Provision#VERIFY}), or is taken as it stands ({@link Provision#OFF})
 * @param start where the route of a new subscriber begins: with the oldest event that is kept. Of no effect after that.
 * @param policy what becomes of events that handlers fail on: tried for ever, with pauses of 100 ms to 30 s unless the
 *     receiver asks for another. With a limit on attempts an event is dead after them; too low, and an outage of what the
 *     handler calls makes dead letters of good events.
 * @param relay the knobs of each member. A lease that is too short costs repeated deliveries when a process stands still,
 *     one that is too long lets the keys of a dead member wait. Its time-out of publishing and its number in flight
 *     do not count: handlers may take their time, and the subscriber's prefetch is the number.
 * @param answerTime when an event whose publishing has no answer is settled (10 s). Too low: a slow database makes
 *     duplicates, which the log drops. Too high: a dead one is noticed late.
 * @param maxPayloadBytes the largest payload it takes (1 MiB), not more than the outbox takes
 */
public record PostgresLogConfig(
        String prefix,
        NameTemplate route,
        Provisioning provision,
        RouteStart start,
        RoutePolicy policy,
        RelayConfig relay,
        Duration answerTime,
        int maxPayloadBytes) {

    private static final NameRules RULES = new NameRules(
            "Posthorn's routes",
            Pattern.compile("[^\\p{L}\\p{N}._-]"),
            1,
            63,
            "letters, digits, dots, hyphens and underscores");

    private static final RetryPolicy FOR_EVER =
            RetryPolicy.exponential(Integer.MAX_VALUE, Duration.ofMillis(50), Duration.ofSeconds(30), 0);

    public PostgresLogConfig {
        List<String> faults = new ArrayList<>();
        require(!prefix.isBlank(), "prefix must not be empty", faults);
        require(
                route.needs("subscriber"),
                "route \"" + route + "\" must contain {subscriber}, or all subscribers would be one",
                faults);
        for (String part : List.of("domain", "type", "tenant")) {
            require(
                    !route.needs(part),
                    "route \"" + route + "\" must not contain {" + part
                            + "}: a subscriber has one route for all it wants",
                    faults);
        }
        require(answerTime.toMillis() >= 100, "answerTime must be at least 100ms, but is " + answerTime, faults);
        require(maxPayloadBytes >= 1, "maxPayloadBytes must be at least 1, but is " + maxPayloadBytes, faults);
        if (!faults.isEmpty()) {
            throw new PosthornException("The log can not be a bus like this: " + String.join("; ", faults));
        }
    }

    /** All defaults. */
    public static PostgresLogConfig standard() {
        return new PostgresLogConfig(
                "posthorn",
                NameTemplate.ofSubscribers("{prefix}-{subscriber}"),
                Provisioning.STANDARD,
                RouteStart.beginning(),
                new RoutePolicy(FOR_EVER, Map.of(), AfterDead.CONTINUE),
                RelayConfig.standard(),
                Duration.ofSeconds(10),
                1 << 20);
    }

    public PostgresLogConfig withPrefix(String chosen) {
        return new PostgresLogConfig(chosen, route, provision, start, policy, relay, answerTime, maxPayloadBytes);
    }

    public PostgresLogConfig withRoute(String template) {
        return new PostgresLogConfig(
                prefix,
                NameTemplate.ofSubscribers(template),
                provision,
                start,
                policy,
                relay,
                answerTime,
                maxPayloadBytes);
    }

    public PostgresLogConfig withProvision(Provision mode) {
        return withProvision(provision.mode(mode));
    }

    public PostgresLogConfig withProvision(Provisioning chosen) {
        return new PostgresLogConfig(prefix, route, chosen, start, policy, relay, answerTime, maxPayloadBytes);
    }

    public PostgresLogConfig withStart(RouteStart chosen) {
        return new PostgresLogConfig(prefix, route, provision, chosen, policy, relay, answerTime, maxPayloadBytes);
    }

    public PostgresLogConfig withPolicy(RoutePolicy chosen) {
        return new PostgresLogConfig(prefix, route, provision, start, chosen, relay, answerTime, maxPayloadBytes);
    }

    public PostgresLogConfig withRelay(RelayConfig chosen) {
        return new PostgresLogConfig(prefix, route, provision, start, policy, chosen, answerTime, maxPayloadBytes);
    }

    public PostgresLogConfig withAnswerTime(Duration time) {
        return new PostgresLogConfig(prefix, route, provision, start, policy, relay, time, maxPayloadBytes);
    }

    public PostgresLogConfig withMaxPayloadBytes(int bytes) {
        return new PostgresLogConfig(prefix, route, provision, start, policy, relay, answerTime, bytes);
    }

    /** The name of the subscriber's route; throws {@link PosthornException} if there can be none. */
    String routeOf(Subscriber subscriber) {
        return RULES.fit(route.fill(Map.of("prefix", prefix, "subscriber", subscriber.name())));
    }

    private static void require(boolean holds, String otherwise, List<String> faults) {
        if (!holds) {
            faults.add(otherwise);
        }
    }
}
