package dev.posthorn.relay;

import java.time.Duration;

/** What the simulation knows about one event on one route. */
final class EventOnRoute {

    /** How often the destination still fails it. */
    int failures;
    /** Until when the destination refuses it. */
    long refusedUntil;

    int refusals;
    int arrivals;
    /** How often it has to arrive: once more than by then whenever it is redriven. */
    int wanted = 1;
    /** How many arrivals beyond the first are explained by something that broke. */
    int allowedDuplicates;
    /** It was FAILED at some time, or an operator redrove it: from then on it has no place in the order. */
    boolean outOfOrder;
    /** An operator threw it away. */
    boolean discarded;
    /** It was there when the route was created, and the route begins with what was there. */
    boolean inherited;

    EventOnRoute(Dice dice, Clockwork clock) {
        double luck = dice.share();
        failures = luck < 0.75 ? 0 : luck < 0.95 ? dice.between(1, 4) : Integer.MAX_VALUE;
        if (dice.chance(0.05)) {
            refusedUntil =
                    clock.now() + Duration.ofMillis(dice.between(0, 4_000)).toNanos();
        }
    }

    boolean isMissing() {
        return arrivals < wanted;
    }

    /** From now on the destination takes it. */
    void repair() {
        failures = 0;
        refusedUntil = 0;
    }

    void redriven() {
        outOfOrder = true;
        wanted = arrivals + 1;
    }

    void failedForGood() {
        outOfOrder = true;
        wanted = 1;
    }
}
