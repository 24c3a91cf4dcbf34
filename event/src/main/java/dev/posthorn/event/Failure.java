package dev.posthorn.event;

import java.io.PrintWriter;
import java.io.Writer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What can be said of something thrown by other people's code, whose methods may throw themselves. Stateless and thread-safe.
 */
public final class Failure {

    private static final PrintWriter NOWHERE = new PrintWriter(Writer.nullWriter());

    private static final int LONGEST_CHAIN = 100;

    private Failure() {}

    /** Its class and message, without a stack trace, as a {@link StorableText#remark}. Never throws. */
    public static String reasonOf(Throwable thrown) {
        String name = nameOf(thrown);
        @Nullable String message;
        try {
            message = thrown.getMessage();
        } catch (Throwable hostile) {
            message = "its message cannot be read: " + nameOf(hostile);
        }
        return StorableText.remark(message == null ? name : name + ": " + message);
    }

    /** The same throwable if it can be logged, else one that says what it was, with the stack trace if there is one. */
    public static Throwable loggable(Throwable thrown) {
        try {
            thrown.printStackTrace(NOWHERE);
            return thrown;
        } catch (Throwable hostile) {
            PosthornException instead = new PosthornException(reasonOf(thrown));
            try {
                instead.setStackTrace(thrown.getStackTrace());
            } catch (Throwable alsoHostile) {
                instead.setStackTrace(new StackTraceElement[0]);
            }
            return instead;
        }
    }

    /** It and its causes, each once and at most 100 of them, from the outside in. Never throws. */
    public static List<Throwable> chainOf(Throwable thrown) {
        Set<Throwable> chain = Collections.newSetFromMap(new IdentityHashMap<>());
        List<Throwable> inOrder = new ArrayList<>();
        @Nullable Throwable next = thrown;
        while (next != null && inOrder.size() < LONGEST_CHAIN && chain.add(next)) {
            inOrder.add(next);
            try {
                next = next.getCause();
            } catch (Throwable hostile) {
                next = null;
            }
        }
        return inOrder;
    }

    private static String nameOf(Throwable thrown) {
        String simple = thrown.getClass().getSimpleName();
        return simple.isEmpty() ? thrown.getClass().getName() : simple;
    }
}
