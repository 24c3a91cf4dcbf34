package dev.posthorn.transports.rabbitmq;

import java.time.Duration;
import java.util.List;

/**
 * How long to wait for a broker.
 *
 * @param answer for the confirm of an event, and for the rest of a close. Too low: a slow broker makes duplicates. Too
 *     high: a relay waits that long behind a dead network. Default 10 seconds
 * @param connect for a connection and for each answer while it is set up. Too low: a busy broker counts as absent.
 *     Default 5 seconds
 * @param heartbeat how often both sides show that they live; one that does not for twice as long is given up. Too low: a
 *     pause of the JVM cuts the connection. Too high: a dead one goes unnoticed. In whole seconds. Default 10 seconds
 */
public record Timeouts(Duration answer, Duration connect, Duration heartbeat) {

    public static final Timeouts STANDARD =
            new Timeouts(Duration.ofSeconds(10), Duration.ofSeconds(5), Duration.ofSeconds(10));

    private static final Duration LONGEST = Duration.ofHours(1);

    public Timeouts answer(Duration answer) {
        return new Timeouts(answer, connect, heartbeat);
    }

    public Timeouts connect(Duration connect) {
        return new Timeouts(answer, connect, heartbeat);
    }

    public Timeouts heartbeat(Duration heartbeat) {
        return new Timeouts(answer, connect, heartbeat);
    }

    void check(List<String> faults) {
        check("answer", answer, Duration.ofMillis(1), faults);
        check("connect", connect, Duration.ofMillis(1), faults);
        check("heartbeat", heartbeat, Duration.ofSeconds(1), faults);
    }

    private static void check(String name, Duration value, Duration least, List<String> faults) {
        if (value.compareTo(least) < 0 || value.compareTo(LONGEST) > 0) {
            faults.add("the time-out " + name + " must be " + least + " to " + LONGEST + ", but is " + value);
        }
    }
}
