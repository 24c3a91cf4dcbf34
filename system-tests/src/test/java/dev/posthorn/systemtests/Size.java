package dev.posthorn.systemtests;

/** How large the sized tests are: the property {@code posthorn.size}. */
enum Size {
    FAST,
    NORMAL,
    SOAK;

    static Size current() {
        return valueOf(System.getProperty("posthorn.size", "normal").toUpperCase(java.util.Locale.ROOT));
    }

    /** The figure for the current size. */
    static int of(int fast, int normal, int soak) {
        return switch (current()) {
            case FAST -> fast;
            case NORMAL -> normal;
            case SOAK -> soak;
        };
    }
}
