package dev.posthorn.server;

/**
 * Where a value came from.
 *
 * @param where the line of the file, the variable, the profile, or the option; empty for a default
 */
record Origin(Kind kind, String where) {

    /** From the weakest to the strongest. */
    enum Kind {
        DEFAULT,
        PROFILE,
        FILE,
        ENVIRONMENT,
        OPTION;

        String text() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }

    static final Origin STANDARD = new Origin(Kind.DEFAULT, "");

    static Origin file(String file, int line) {
        return new Origin(Kind.FILE, file + ":" + line);
    }

    static Origin variable(String name) {
        return new Origin(Kind.ENVIRONMENT, name);
    }

    static Origin profile(String name) {
        return new Origin(Kind.PROFILE, name);
    }

    static Origin option(String name) {
        return new Origin(Kind.OPTION, name);
    }

    @Override
    public String toString() {
        return where.isEmpty() ? kind.text() : kind.text() + " " + where;
    }
}
