package dev.posthorn.registry;

/**
 * One rule that an event breaks.
 *
 * @param where the event's field, or the place in its payload as a JSON pointer, such as {@code payload/amount}
 * @param what is wrong there, and what is asked for
 */
public record Violation(Rule rule, String where, String what) {

    @Override
    public String toString() {
        return where + " " + what + " (rule " + rule.text() + ")";
    }
}
