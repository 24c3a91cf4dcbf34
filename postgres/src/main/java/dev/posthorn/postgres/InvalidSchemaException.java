package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.util.List;

/** The database's schema is not the one this version works with; lists every difference. */
public final class InvalidSchemaException extends PosthornException {

    private static final long serialVersionUID = 1L;

    private final transient List<String> faults;

    InvalidSchemaException(Schema schema, List<String> faults) {
        super("The schema \"" + schema.name() + "\" does not fit: " + String.join("; ", faults) + ".");
        this.faults = List.copyOf(faults);
    }

    public List<String> faults() {
        return faults;
    }
}
