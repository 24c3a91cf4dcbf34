package dev.posthorn.systemtests;

import dev.posthorn.event.PosthornException;
import java.util.function.Supplier;
import org.junit.jupiter.api.Assumptions;

/** Brokers that may not be there. */
final class Brokers {

    private Brokers() {}

    /** What was started; a test without it is skipped and says why, or fails with CI=true. */
    static <T> T orSkip(Supplier<T> start) {
        try {
            return start.get();
        } catch (PosthornException missing) {
            if ("true".equals(System.getenv("CI"))) {
                throw missing;
            }
            System.out.println("skipped: " + missing.getMessage());
            return Assumptions.abort(String.valueOf(missing.getMessage()));
        }
    }
}
