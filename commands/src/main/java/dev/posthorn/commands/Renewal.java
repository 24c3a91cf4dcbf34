package dev.posthorn.commands;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of the workflow runs that are being worked on in this process, so that a step may take longer than its lease
 * while its owner lives. Fenced by the attempt: a run that another one has taken is not taken back.
 */
public final class Renewal {

    private static final Logger LOG = LoggerFactory.getLogger(Renewal.class);

    private final CommandRunner<?> runner;

    public Renewal(CommandRunner<?> runner) {
        this.runner = runner;
    }

    /** Renews all that there are now; how many that was. Throws {@link CommandStoreException} if it is not known. */
    public int runOnce() {
        int renewed = 0;
        for (Attempt attempt : runner.inWork()) {
            if (renew(attempt)) {
                renewed++;
            }
        }
        return renewed;
    }

    /** One that ended just now is not there any more, and one that was taken over learns it at its next step. */
    private boolean renew(Attempt attempt) {
        try {
            runner.renew(attempt);
            return true;
        } catch (RunLostException lost) {
            if (runner.inWork().remove(attempt)) {
                LOG.warn("{}", lost.getMessage());
            }
            return false;
        }
    }
}
