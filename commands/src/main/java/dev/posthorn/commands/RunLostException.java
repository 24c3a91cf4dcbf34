package dev.posthorn.commands;

import dev.posthorn.event.PosthornException;

/** Another one has taken the workflow run, because its lease ran out. What was done last is undone; end here. */
public final class RunLostException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public RunLostException(Attempt attempt) {
        super("Attempt " + attempt.number() + " of run " + attempt.run()
                + " is over: its lease ran out and another one has the run, or it has ended. Make the lease of "
                + attempt.lease() + " longer than a step can take.");
    }
}
