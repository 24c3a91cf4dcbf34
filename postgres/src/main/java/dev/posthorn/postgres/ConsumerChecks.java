package dev.posthorn.postgres;

import dev.posthorn.postgres.ConsumerInspection.UnhandledType;
import dev.posthorn.postgres.ConsumerInspection.WaitingHandovers;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;

/** What the doctor looks at in the consumers. */
final class ConsumerChecks {

    private static final Duration RECENT = Duration.ofDays(1);
    private static final Duration LONG_WAIT = Duration.ofMinutes(5);
    private static final int MOST_TYPES = 10;

    private ConsumerChecks() {}

    static boolean look(Examination of) throws SQLException {
        Instant now = ServerChecks.now(of);
        ConsumerInspection inspection = new ConsumerInspection(of.database(), of.schema());
        inspection.unhandled().stream()
                .filter(one -> one.lastAt().isAfter(now.minus(RECENT)))
                .limit(MOST_TYPES)
                .forEach(one -> unhandled(of, one));
        inspection.handovers().stream()
                .filter(one -> one.oldest().compareTo(LONG_WAIT) > 0)
                .forEach(one -> handedOver(of, one));
        return true;
    }

    private static void unhandled(Examination of, UnhandledType one) {
        of.found(
                "unhandled",
                false,
                "consumer " + one.consumer() + ": no handler wanted " + one.events() + " events of type " + one.type()
                        + ", the last at " + one.lastAt(),
                "If that is right, let the consumer subscribe to the types that it handles. If a handler is missing, deploy it and"
                        + " replay the events to the consumer: posthorn replay start.");
    }

    private static void handedOver(Examination of, WaitingHandovers one) {
        of.found(
                "handover",
                false,
                "consumer " + one.consumer() + ": " + one.events()
                        + " events that one member left to another wait, the oldest for "
                        + one.oldest().toSeconds() + " s",
                "The member that has the handler fails on them, or is paused or overloaded. posthorn consumers list shows how the"
                        + " members are.");
    }
}
