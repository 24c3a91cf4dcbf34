package dev.posthorn.console;

import dev.posthorn.operations.Health;
import dev.posthorn.postgres.PostgresFigures.ConsumerFigures;
import dev.posthorn.postgres.PostgresFigures.DeadFigures;
import dev.posthorn.postgres.PostgresFigures.ReplayFigures;
import dev.posthorn.postgres.PostgresFigures.RouteFigures;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** Finds what is wrong, why that matters and what to do: the worst first. */
final class Troubles {

    private static final Duration STANDSTILL = Duration.ofMinutes(5);
    private static final Duration LONG_WAIT = Duration.ofMinutes(1);
    private static final Duration CONSUMER_BEHIND = Duration.ofMinutes(1);
    private static final long OLD_TRANSACTION = 1_000_000;

    private final Standing standing;
    private final Health.Report health;
    private final List<Trouble> found = new ArrayList<>();

    private Troubles(Standing standing, Health.Report health) {
        this.standing = standing;
        this.health = health;
    }

    static List<Trouble> of(Standing standing, Health.Report health, Instant now) {
        Troubles troubles = new Troubles(standing, health);
        troubles.database(now);
        troubles.relays();
        standing.routes().forEach(troubles::route);
        standing.dead().forEach(troubles::dead);
        standing.consumers().forEach(troubles::consumer);
        standing.rest().replays().orElse(List.of()).forEach(troubles::replays);
        troubles.transactions();
        troubles.found.sort(Comparator.comparing(trouble -> !trouble.critical()));
        return troubles.found;
    }

    private void database(Instant now) {
        standing.trouble()
                .ifPresent(why -> critical(
                        "The database does not answer",
                        why
                                + standing.at()
                                        .map(at -> " All figures are those of " + StatusFormat.ago(at, now) + " ago.")
                                        .orElse(" No figure is known yet."),
                        "See that Postgres runs and can be reached. Relays go on by themselves when it is back.",
                        "posthorn doctor",
                        "#/doctor"));
    }

    private void relays() {
        Stream.concat(
                        health.routes().stream().map(Health.RouteHealth::route),
                        standing.routes().stream().map(RouteFigures::route))
                .distinct()
                .forEach(route -> Breaker.of(route, standing, health)
                        .filter(Breaker::open)
                        .ifPresent(breaker -> critical(
                                "Route " + route + " does not reach its destination",
                                Secrets.mask(breaker.outage().orElse("the breaker is open"))
                                        + "; its events wait and none is charged an attempt",
                                "See that the broker runs and can be reached. The relay tries again by itself.",
                                "posthorn routes test " + route,
                                link("routes", route))));
        if (!health.live()) {
            critical(
                    "A relay of this process stands still",
                    Secrets.mask(String.join("; ", health.findings())),
                    "Restart the process; others take its lanes over meanwhile.",
                    "posthorn healthcheck --probe live",
                    "#/relays");
        }
    }

    private void route(RouteFigures route) {
        String name = route.route();
        long waiting = route.waiting().number();
        if (route.paused()) {
            warning(
                    "Route " + name + " is paused",
                    count(waiting, "event") + " waiting, and nothing of the log is pruned that this route still needs",
                    "Resume it, or retire it if nobody needs it.",
                    "posthorn routes resume " + name,
                    link("routes", name));
        } else if (route.held() == 0) {
            critical(
                    "No relay runs for route " + name,
                    count(waiting, "event") + " waiting for one",
                    "Start a relay for this route.",
                    "posthorn relay --route " + name,
                    "#/relays");
        } else if (route.standing().compareTo(STANDSTILL) > 0) {
            critical(
                    "A lane of route " + name + " has not moved for " + StatusFormat.rounded(route.standing()),
                    "Events wait in it, so order holds back all that come after",
                    "See which relay holds it, and its log.",
                    "posthorn status",
                    "#/relays");
        } else if (route.lag().compareTo(LONG_WAIT) > 0) {
            warning(
                    "Route " + name + " is " + StatusFormat.rounded(route.lag()) + " behind",
                    count(waiting, "event") + " waiting",
                    "Start another relay, or see whether the destination is slow.",
                    "posthorn status",
                    link("routes", name));
        }
        keys(route);
    }

    private void keys(RouteFigures route) {
        String name = route.route();
        if (route.heldKeys() > 0) {
            warning(
                    count(route.heldKeys(), "held key") + " on route " + name,
                    "An event of each is dead, and the route holds the key until somebody decides",
                    "Redrive or discard the dead events.",
                    "posthorn dead list --route " + name + " --grouped",
                    link("dead", "", "route", name));
        }
        long retried = route.blockedKeys().number() - route.heldKeys();
        if (retried > 0) {
            warning(
                    count(retried, "blocked key") + " on route " + name,
                    "Their first event failed and is tried again; what comes after waits so that order holds",
                    "See why it fails; it goes on by itself once it gets through.",
                    "posthorn status",
                    link("routes", name));
        }
    }

    private void dead(DeadFigures dead) {
        long letters = dead.letters().number();
        if (letters > 0) {
            warning(
                    (dead.letters().exact() ? "" : "At least ")
                            + count(letters, "dead letter")
                            + (dead.station().equals("route") ? " on route " : " in consumer ")
                            + dead.name(),
                    "They failed for good and go nowhere until somebody decides",
                    "See why they failed, mend that, and redrive; or discard them.",
                    "posthorn dead list --" + dead.station() + " " + dead.name() + " --grouped",
                    link("dead", "", dead.station(), dead.name()));
        }
    }

    private void consumer(ConsumerFigures consumer) {
        String name = consumer.consumer();
        if (consumer.members() == 0) {
            critical(
                    "No member of consumer " + name + " is alive",
                    "Its events wait at the broker",
                    "Start a process of the consumer.",
                    "posthorn consumers list",
                    link("consumers", name));
        } else if (consumer.silent() > 0) {
            warning(
                    count(consumer.silent(), "member") + " of consumer " + name + " went silent",
                    "They crashed, or can not reach the database",
                    "See their logs; the others have taken over what they had.",
                    "posthorn consumers list",
                    link("consumers", name));
        }
        if (consumer.lag().compareTo(CONSUMER_BEHIND) > 0) {
            warning(
                    "Consumer " + name + " is " + StatusFormat.rounded(consumer.lag()) + " behind",
                    "That long passes from emit to handled for its slowest events",
                    "Start more members, or see whether its handlers are slow.",
                    "posthorn consumers list",
                    link("consumers", name));
        }
    }

    private void replays(ReplayFigures replay) {
        if (replay.failed() > 0) {
            warning(
                    count(replay.failed(), "replay") + " into " + replay.kind() + " " + replay.target() + " failed",
                    "An event stopped it, and what it has yet to publish is kept in the log",
                    "See why, then resume or cancel it.",
                    "posthorn replay list",
                    "#/replays");
        }
    }

    private void transactions() {
        if (standing.rest().log().xminAge() > OLD_TRANSACTION) {
            warning(
                    "A transaction has been open for a very long time",
                    String.format(
                            Locale.ROOT,
                            "%,d transactions began since; Postgres can not clean up behind it",
                            standing.rest().log().xminAge()),
                    "Find it by name, and end it.",
                    "posthorn doctor",
                    "#/doctor");
        }
    }

    private void critical(String what, String why, String remedy, String command, String link) {
        found.add(new Trouble(true, what, why, remedy, command, link));
    }

    private void warning(String what, String why, String remedy, String command, String link) {
        found.add(new Trouble(false, what, why, remedy, command, link));
    }

    private static String count(long number, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }

    private static String link(String screen, String name) {
        return "#/" + screen + (name.isEmpty() ? "" : "/" + encoded(name));
    }

    private static String link(String screen, String name, String filter, String value) {
        return link(screen, name) + "?" + filter + "=" + encoded(value);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
