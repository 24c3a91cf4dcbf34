package dev.posthorn.postgres;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Looks through the log from its end, without payloads and headers.
 *
 * <p>Changes nothing. Needs the rights of a {@link RoleKind#VIEWER}. Thread-safe.
 */
public final class PostgresEvents {

    /** Before all: where a look begins that has seen nothing yet. */
    public static final long END = Long.MAX_VALUE;

    /**
     * An event of the log.
     *
     * @param states how it stands on each route that wants it, as in {@code main SENT}
     */
    public record Listed(
            long seq,
            UUID id,
            String domain,
            String type,
            Optional<String> key,
            Optional<String> tenant,
            Instant emittedAt,
            List<String> states) {}

    /** Which ones; null is any. */
    public record Filter(
            @Nullable String domain,
            @Nullable String type,
            @Nullable String tenant,
            @Nullable String correlation) {

        public static final Filter ALL = new Filter(null, null, null, null);
    }

    /** From this event on, up to but not including that one, by their place in the log. */
    public record Stretch(long first, long before) {

        /** All before one. */
        public static Stretch before(long seq) {
            return new Stretch(0, seq);
        }
    }

    /** The first and the last place of the log that has an event. */
    public record Ends(long first, long last) {}

    private final Looks looks;

    public PostgresEvents(DataSource database, Schema schema) {
        this.looks = new Looks(database, schema);
    }

    /** The newest before one, from the last to the first. What few events fit takes as long as to read what does not. */
    public List<Listed> newest(Filter filter, long before, int most) {
        return newest(filter, Stretch.before(before), most);
    }

    /** The newest of a stretch, from the last to the first. Never reads more than the stretch. */
    public List<Listed> newest(Filter filter, Stretch stretch, int most) {
        return looks.query(
                "events_newest",
                bind -> bind.value(stretch.first())
                        .value(stretch.before())
                        .text("domain", filter.domain())
                        .text("type", filter.type())
                        .text("tenant", filter.tenant())
                        .text("correlation ID", filter.correlation())
                        .value(most),
                PostgresEvents::listed);
    }

    /** Where the log begins and ends; empty if there is no event. */
    public Optional<Ends> ends() {
        return looks
                .query("log_ends", statement -> {}, row -> new Ends(row.getLong("first"), row.getLong("last")))
                .stream()
                .filter(ends -> ends.last() > 0)
                .findFirst();
    }

    /** The newest of one key, from the last to the first. */
    public List<Listed> ofKey(String key, long before, int most) {
        return looks.query(
                "events_of_key", bind -> bind.text("key", key).value(before).value(most), PostgresEvents::listed);
    }

    private static Listed listed(ResultSet row) throws SQLException {
        return new Listed(
                row.getLong("seq"),
                row.getObject("id", UUID.class),
                row.getString("domain"),
                row.getString("type"),
                Looks.text(row, "key"),
                Looks.text(row, "tenant"),
                Looks.time(row, "created_at"),
                List.of((String[]) row.getArray("states").getArray()));
    }
}
