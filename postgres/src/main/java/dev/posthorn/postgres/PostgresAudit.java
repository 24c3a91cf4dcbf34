package dev.posthorn.postgres;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What operators did, and why.
 *
 * <p>Changes nothing. Needs the rights of a {@link RoleKind#VIEWER}. Thread-safe.
 */
public final class PostgresAudit {

    /** Before all: where a look begins that has seen nothing yet. */
    public static final long END = Long.MAX_VALUE;

    /**
     * One thing that somebody did.
     *
     * @param target the event, letter, consumer or replay it was done to
     * @param rows how many it concerned
     */
    public record Action(
            long id,
            Instant at,
            String who,
            String action,
            Optional<String> route,
            String target,
            Optional<String> reason,
            long rows) {}

    private final Looks looks;

    public PostgresAudit(DataSource database, Schema schema) {
        this.looks = new Looks(database, schema);
    }

    /** What was done before one action, from the last to the first; by one person and of one kind, or by and of any. */
    public List<Action> newest(@Nullable String who, @Nullable String action, long before, int most) {
        return looks.query(
                "audit",
                bind -> bind.value(before)
                        .name("who", who)
                        .name("who", who)
                        .name("action", action)
                        .name("action", action)
                        .value(most),
                row -> new Action(
                        row.getLong("id"),
                        Looks.time(row, "at"),
                        row.getString("who"),
                        row.getString("action"),
                        Looks.text(row, "route"),
                        row.getString("target"),
                        Looks.text(row, "reason"),
                        row.getLong("rows")));
    }
}
