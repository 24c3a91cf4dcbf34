package dev.posthorn.relay;

import dev.posthorn.transport.FailureLog;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of one relay: each of them names its route and the relay. Thread-safe. */
final class RelayLog {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private static final Duration RELOADS = Duration.ofSeconds(10);

    private final String ids;
    private final FailureLog steps;
    private final FailureLog publishing;
    private final Map<String, Set<Integer>> reloads = new TreeMap<>();
    private @Nullable Long flushed;

    RelayLog(String route, String relay) {
        this.ids = "route=" + route + " relay=" + relay;
        this.steps = new FailureLog(LOG, "Relaying", ids);
        this.publishing = new FailureLog(LOG, "Publishing", ids);
    }

    void info(String sentence) {
        LOG.info("{} {}", sentence, ids);
    }

    void warn(String sentence) {
        LOG.warn("{} {}", sentence, ids);
    }

    /** This lane is loaded again for this reason. Lanes with one reason are one line, and there is at most one in ten seconds. */
    synchronized void reloads(int lane, String why) {
        reloads.computeIfAbsent(why, any -> new TreeSet<>()).add(lane);
    }

    /** Logs which lanes were loaded again, if that is due. */
    synchronized void flush(long now) {
        if (!reloads.isEmpty() && (flushed == null || now - flushed >= RELOADS.toNanos())) {
            reloads.forEach((why, lanes) -> info("Lanes " + lanes + " are loaded again: " + why));
            reloads.clear();
            flushed = now;
        }
    }

    /** The failures of all steps: a database that is unavailable fails each of them for one reason. */
    FailureLog steps() {
        return steps;
    }

    /** The failures of the transport. */
    FailureLog publishing() {
        return publishing;
    }
}
