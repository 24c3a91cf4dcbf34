package dev.posthorn.relay;

import dev.posthorn.transport.FailureLog;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log lines of one relay: each of them names its route and the relay. Thread-safe. */
final class RelayLog {

    private static final Logger LOG = LoggerFactory.getLogger(Relay.class);

    private final String ids;
    private final FailureLog steps;
    private final FailureLog publishing;

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

    /** The failures of all steps: a database that is unavailable fails each of them for one reason. */
    FailureLog steps() {
        return steps;
    }

    /** The failures of the transport. */
    FailureLog publishing() {
        return publishing;
    }
}
