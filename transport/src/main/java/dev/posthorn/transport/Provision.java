package dev.posthorn.transport;

import dev.posthorn.event.PosthornException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** What a transport does about the exchanges, topics, queues and streams that it needs. See {@link Provisioning}. */
public enum Provision {
    /** Creates what is needed for the first time. What existed before and is missing now is not created again. */
    CREATE,
    /** Creates nothing, looks first, and names what is missing. */
    VERIFY,
    /** Neither creates nor looks: for accounts that may do neither. */
    OFF;

    /** As it is written in configuration: {@code create}, {@code verify} or {@code off}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Reads {@link #word}; throws {@link PosthornException} for any other text. */
    public static Provision named(String word) {
        return Arrays.stream(values())
                .filter(one -> one.word().equals(word.toLowerCase(Locale.ROOT)))
                .findFirst()
                .orElseThrow(() -> new PosthornException(
                        "\"" + word + "\" is not a way to provision. Use " + String.join(", ", words()) + "."));
    }

    /** All words. */
    public static List<String> words() {
        return Arrays.stream(values()).map(Provision::word).toList();
    }
}
