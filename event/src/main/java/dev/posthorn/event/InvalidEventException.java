package dev.posthorn.event;

import java.util.List;
import java.util.stream.Collectors;

/** An event that can not be emitted as it is; lists every fault, not only the first. */
public final class InvalidEventException extends PosthornException {

    private static final long serialVersionUID = 1L;

    /** One thing that is wrong: the field's name and what it must be. */
    public record Fault(String field, String why) {}

    private final transient List<Fault> faults;

    public InvalidEventException(String event, List<Fault> faults) {
        super("Event " + event + " is invalid: "
                + faults.stream().map(f -> f.field() + " " + f.why()).collect(Collectors.joining("; "))
                + ". Nothing was emitted; correct the event and emit it again.");
        this.faults = List.copyOf(faults);
    }

    public List<Fault> faults() {
        return faults;
    }
}
