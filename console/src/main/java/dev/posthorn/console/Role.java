package dev.posthorn.console;

import java.util.List;
import java.util.Locale;

/** What a token is for. Each has the rights of those before it. */
public enum Role {
    METRICS(Right.MEASURE),
    VIEWER(Right.READ),
    OPERATOR(Right.OPERATE),
    ADMIN(Right.ADMIN);

    private final Right highest;

    Role(Right highest) {
        this.highest = highest;
    }

    boolean may(Right right) {
        return right.compareTo(highest) <= 0;
    }

    List<String> rights() {
        return List.of(Right.values()).stream()
                .filter(this::may)
                .map(Right::word)
                .toList();
    }

    /** As it is written in a configuration. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Throws if there is none of this name. */
    public static Role named(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
