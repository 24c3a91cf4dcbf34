package dev.posthorn.postgres;

import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Source;
import dev.posthorn.replay.Target;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads and writes the columns of the table {@code replay}. */
final class ReplayRows {

    private ReplayRows() {}

    static Replay read(ResultSet row) throws SQLException {
        return new Replay(
                row.getObject("id", UUID.class),
                new Replay.Request(
                        selection(row),
                        target(row),
                        source(row),
                        number(row, "rate").isPresent() ? OptionalInt.of(row.getInt("rate")) : OptionalInt.empty(),
                        Optional.ofNullable(row.getString("reason"))),
                Replay.State.valueOf(row.getString("state")),
                new Replay.Progress(
                        row.getLong("position"), row.getLong("end"), row.getLong("done"), number(row, "of")),
                new Replay.History(
                        row.getString("who"),
                        time(row, "started_at").orElse(Instant.EPOCH),
                        time(row, "changed_at").orElse(Instant.EPOCH),
                        Optional.ofNullable(row.getString("fault"))));
    }

    private static Selection selection(ResultSet row) throws SQLException {
        return new Selection(
                set(row, "domains"),
                set(row, "types"),
                set(row, "aggregate_types"),
                set(row, "keys"),
                set(row, "tenants"),
                time(row, "from"),
                time(row, "to"));
    }

    private static Target target(ResultSet row) throws SQLException {
        String name = row.getString("target");
        return row.getString("target_kind").equals("route") ? Target.route(name) : Target.consumer(name);
    }

    private static Source source(ResultSet row) throws SQLException {
        @Nullable String folder = row.getString("folder");
        return folder == null
                ? Source.log()
                : new Source.Archived(folder, texts(row, "volumes"), row.getLong("end"), number(row, "of"));
    }

    static String kindOf(Target target) {
        return target.reduce(route -> "route", consumer -> "consumer");
    }

    private static Set<String> set(ResultSet row, String column) throws SQLException {
        return Set.copyOf(texts(row, column));
    }

    private static List<String> texts(ResultSet row, String column) throws SQLException {
        @Nullable Array array = row.getArray(column);
        return array == null ? List.of() : List.of((String[]) array.getArray());
    }

    private static OptionalLong number(ResultSet row, String column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? OptionalLong.empty() : OptionalLong.of(value);
    }

    private static Optional<Instant> time(ResultSet row, String column) throws SQLException {
        return Optional.ofNullable(row.getObject(column, OffsetDateTime.class)).map(OffsetDateTime::toInstant);
    }
}
