package dev.posthorn.commands;

import dev.posthorn.event.PosthornException;

/** Another one has taken the workflow run, because its lease ran out. What was done last is undone; end here. */
public final class RunLostException extends PosthornException {

    private static final long serialVersionUID = 1L;

    public RunLostException(Attempt attempt) {
        super("Attempt " + attempt.number() + " of run " + attempt.run()
                + " is over: its lease ran out and another one has the run, or it has ended. Its lease is "
                + attempt.lease() + ": make that longer than a step can take, or let a desk renew it.");
    }
}
