package dev.posthorn.privacy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.List;

/** An event has what looks like personal data, and the guard is strict. Nothing was sent to the database. */
public final class PersonalDataException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final transient List<Finding> findings;

    PersonalDataException(Event event, List<Finding> findings) {
        super("Nothing was emitted: " + event + " has what looks like personal data in " + findings
                + ". Leave it out, refer to it by an id, or allow the field if it is meant to be there.");
        this.findings = List.copyOf(findings);
    }

    public List<Finding> findings() {
        return findings;
    }
}
