package dev.posthorn.postgres;

import java.sql.SQLException;

/**
 * Knows the primary from others by what they say of their incarnation: a standby, and a former primary that a failover has
 * left behind. Thread-safe.
 *
 * <p>Each promotion begins a new timeline, so of two servers the one with the greater number is the primary. Without that, a
 * session that is left on the old one would go on reading what the new one's checkpoints do not know, and each flush would be
 * fenced, again and again.
 */
final class Primary {

    private static final int HEXADECIMAL = 16;
    private static final String READ_ONLY = "25006";

    private long newest;

    /** Returns the incarnation, or throws as if something had been written there. */
    synchronized String checked(String incarnation) throws SQLException {
        if (incarnation.equals("standby")) {
            throw new SQLException(
                    "A standby's snapshot lacks running transactions: reading there loses events.", READ_ONLY);
        }
        long timeline = Long.parseLong(incarnation.substring(incarnation.indexOf('/') + 1), HEXADECIMAL);
        if (timeline < newest) {
            throw new SQLException(
                    "This session is on timeline " + timeline + ", but the primary is on " + newest
                            + ": a failover has left it behind.",
                    READ_ONLY);
        }
        newest = timeline;
        return incarnation;
    }
}
