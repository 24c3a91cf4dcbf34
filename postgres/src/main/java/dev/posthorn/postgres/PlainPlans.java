package dev.posthorn.postgres;

import java.util.List;
import java.util.stream.Collectors;

/**
 * Settings under which the relay's statements run.
 *
 * <p>No JIT, nothing but index scans and nested loops: otherwise a plan made while the table was empty, and kept by a
 * server-prepared statement, would scan a table that has long grown to millions; and JIT makes a poll of 0.3 ms one of
 * 230 ms. And a transaction whose client is silent for two seconds ends: the locks of a relay that was stopped in the middle
 * of a flush would keep its lanes from the others for as long as it stands still.
 */
final class PlainPlans {

    private static final String SILENCE = "idle_in_transaction_session_timeout";
    private static final String SILENCE_MILLIS = "2000";

    private static final List<String> OFF =
            List.of("jit", "enable_seqscan", "enable_bitmapscan", "enable_hashjoin", "enable_mergejoin");

    /** A condition in SQL: whether the settings are in force. */
    static final String IN_FORCE = OFF.stream()
            .map(name -> "current_setting('" + name + "') = 'off'")
            .collect(Collectors.joining(" AND ", "", " AND current_setting('" + SILENCE + "') <> '0'"));

    /** A statement: the settings for the rest of the transaction. */
    static final String SET_LOCAL = OFF.stream()
            .map(name -> "set_config('" + name + "', 'off', true)")
            .collect(Collectors.joining(
                    ", ", "SELECT ", ", set_config('" + SILENCE + "', '" + SILENCE_MILLIS + "', true)"));

    /** The settings as the driver's connection parameter {@code options}. */
    static final String OPTIONS = OFF.stream()
            .map(name -> "-c " + name + "=off")
            .collect(Collectors.joining(" ", "", " -c " + SILENCE + "=" + SILENCE_MILLIS));

    private PlainPlans() {}
}
