package dev.posthorn.postgres;

import dev.posthorn.event.Event;
import dev.posthorn.relay.LogEvent;
import dev.posthorn.replay.Page;
import dev.posthorn.replay.ReplayStore;
import dev.posthorn.replay.Target;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What whoever publishes replays needs of the database. Needs the rights of a {@link RoleKind#RELAY} or a {@link
 * RoleKind#CONSUMER}. Thread-safe; one connection at a time for each call.
 */
public final class PostgresReplays implements ReplayStore {

    /** A page may bring large payloads. */
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    private final Connections connections;
    private final Schema schema;
    private final String page;

    public PostgresReplays(DataSource database, Schema schema) {
        this.connections = new Connections(database, TIMEOUT);
        this.schema = schema;
        this.page = EventRows.withEvent(Sql.load("replay_page", schema), schema);
    }

    @Override
    public Optional<Claim> claim(Target target, String owner, Duration ttl) {
        return connections.change(
                "claim a replay",
                Sql.load("replay_claim", schema),
                bind -> bind.name("kind of target", ReplayRows.kindOf(target))
                        .name("name of target", target.name())
                        .name("owner", owner)
                        .value(ttl.toMillis()),
                rows -> rows.next()
                        ? Optional.of(new Claim(ReplayRows.read(rows), rows.getLong("epoch")))
                        : Optional.empty());
    }

    @Override
    public Optional<Page> page(Claim claim, long after, PageLimit limit) {
        return connections.change(
                "read a page of a replay",
                page,
                bind -> bind.value(claim.replay().id())
                        .value(claim.epoch())
                        .value(after)
                        .value(limit.events())
                        .value(limit.bytes()),
                PostgresReplays::pageOf);
    }

    private static Optional<Page> pageOf(ResultSet rows) throws SQLException {
        List<Page.Entry> entries = new ArrayList<>();
        EventRows.Shared shared = new EventRows.Shared();
        Optional<Long> reach = Optional.empty();
        while (rows.next()) {
            long said = rows.getLong("reach");
            if (rows.wasNull()) {
                LogEvent read = EventRows.read(rows, 0, shared);
                Event event = read.event();
                entries.add(new Page.Entry(read.seq(), event));
            } else {
                reach = Optional.of(said);
            }
        }
        return reach.map(upTo -> new Page(entries, upTo));
    }

    @Override
    public Standing advance(Claim claim, Checkpoint checkpoint, Duration ttl) {
        return connections.change(
                "write a checkpoint of a replay",
                Sql.load("replay_advance", schema),
                bind -> bind.value(claim.replay().id())
                        .value(claim.epoch())
                        .value(checkpoint.from())
                        .value(checkpoint.to())
                        .value(checkpoint.published())
                        .value(ttl.toMillis()),
                rows -> {
                    rows.next();
                    @Nullable String standing = rows.getString(1);
                    return standing == null ? Standing.LOST : Standing.valueOf(standing);
                });
    }

    @Override
    public boolean finish(Claim claim) {
        return end(claim, Optional.empty());
    }

    @Override
    public boolean fail(Claim claim, String fault) {
        return end(claim, Optional.of(fault));
    }

    private boolean end(Claim claim, Optional<String> fault) {
        return connections.change(
                "end a replay",
                Sql.load("replay_finish", schema),
                bind -> bind.value(claim.replay().id()).value(claim.epoch()).remark(fault),
                PostgresReplays::first);
    }

    @Override
    public void release(Claim claim) {
        boolean unused = connections.change(
                "give a replay back",
                Sql.load("replay_release", schema),
                bind -> bind.value(claim.replay().id()).value(claim.epoch()),
                PostgresReplays::first);
    }

    private static boolean first(ResultSet rows) throws SQLException {
        rows.next();
        return rows.getBoolean(1);
    }
}
