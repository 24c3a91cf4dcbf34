package dev.posthorn.commands;

import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Renews the leases of the workflow runs that are being worked on in this process, so that a step may take longer than its lease
 * while its owner lives, up to the {@linkplain CommandRunner#stepTime step time}. Fenced by the attempt: a run that another one has
 * taken is not taken back.
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
        for (RunInWork run : runner.inWork()) {
            Optional<String> overdue = run.overdueAfter(runner.stepTime());
            if (overdue.isPresent()) {
                runner.giveUp(run, overdue.get());
            } else if (renew(run)) {
                renewed++;
            }
        }
        return renewed;
    }

    /** One that ended just now is not there any more, and one that was taken over learns it at its next step. */
    private boolean renew(RunInWork run) {
        try {
            runner.renew(run.attempt());
            return true;
        } catch (RunLostException lost) {
            if (runner.inWork().remove(run)) {
                LOG.warn("{}", lost.getMessage());
            }
            return false;
        }
    }
}
