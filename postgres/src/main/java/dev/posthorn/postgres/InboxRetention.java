package dev.posthorn.postgres;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How long it is known what consumers handled, and how long their dead letters are kept.
 *
 * @param inbox how long after it was handled an event is known; one that comes again later is handled again
 * @param letters how long dead letters are kept; without it for ever
 * @param byDomain the same for the letters of some domains
 * @param commands how long after its run ended a command is known; one that comes again later is run again
 * @param positions how long after it moved a handler's position in a key is known; later the key begins anew, with whatever
 *     comes first
 */
public record InboxRetention(
        Duration inbox,
        Optional<Duration> letters,
        Map<String, Duration> byDomain,
        Duration commands,
        Duration positions) {

    /** 30 days. */
    public static final Duration STANDARD = Duration.ofDays(30);

    /** 36 hours. */
    public static final Duration COMMANDS = Duration.ofHours(36);

    /** 400 days: what happens to a key once a year keeps its order. */
    public static final Duration POSITIONS = Duration.ofDays(400);

    public InboxRetention {
        byDomain = Map.copyOf(byDomain);
        if (inbox.isNegative()
                || commands.isNegative()
                || positions.isNegative()
                || letters.filter(Duration::isNegative).isPresent()
                || byDomain.values().stream().anyMatch(Duration::isNegative)) {
            throw new IllegalArgumentException("A retention must not be negative.");
        }
    }

    /** With commands known for 36 hours, and positions for 400 days. */
    public InboxRetention(Duration inbox, Optional<Duration> letters, Map<String, Duration> byDomain) {
        this(inbox, letters, byDomain, COMMANDS, POSITIONS);
    }

    /** Events are known for 30 days, commands for 36 hours, positions for 400 days, and dead letters are kept until someone decides about them. */
    public static InboxRetention standard() {
        return new InboxRetention(STANDARD, Optional.empty(), Map.of());
    }

    /** The same, with commands known for so long. */
    public InboxRetention commands(Duration known) {
        return new InboxRetention(inbox, letters, byDomain, known, positions);
    }

    /** The same, with positions known for so long. */
    public InboxRetention positions(Duration known) {
        return new InboxRetention(inbox, letters, byDomain, commands, known);
    }

    /**
     * What may be handled twice with this: whatever can still come again after the inbox has forgotten it. An event may be
     * published again for as long as it stays in the log, lie at the broker after that, and lie among the dead letters of
     * another handler's trouble after that; so the times add up. Letters that are kept for ever do not count.
     *
     * @param log how long events stay in the log after they are published
     * @param broker how long the broker keeps what it may deliver again
     */
    public List<String> warnings(Duration log, Duration broker) {
        List<String> warnings = new ArrayList<>();
        add(warnings, log.plus(broker), log, broker, "");
        letters.ifPresent(kept ->
                add(warnings, log.plus(broker).plus(kept), log, broker, " and " + hours(kept) + " as a dead letter"));
        byDomain.forEach((domain, kept) -> add(
                warnings,
                log.plus(broker).plus(kept),
                log,
                broker,
                " and " + hours(kept) + " as a dead letter of the domain " + domain));
        return warnings;
    }

    private void add(List<String> warnings, Duration all, Duration log, Duration broker, String letters) {
        if (inbox.compareTo(all) < 0) {
            warnings.add("The inbox forgets events after " + hours(inbox) + ", but one may come again after "
                    + hours(all) + ": " + hours(log) + " in the log, from where it can be published again, "
                    + hours(broker) + " at the broker" + letters + ". What comes then is handled a second time. Make"
                    + " the retention of the inbox " + hours(all) + " or longer.");
        }
    }

    private static String hours(Duration time) {
        return time.toHours() + " h";
    }
}
