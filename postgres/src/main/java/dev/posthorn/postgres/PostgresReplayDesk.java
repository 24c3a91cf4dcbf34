package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Source;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * What an operator may do with replays.
 *
 * <p>Starting, cancelling and resuming are one transaction each and leave a record of who did what and why. Needs the rights
 * of an {@link RoleKind#OPERATOR}; for looking, those of a {@link RoleKind#VIEWER}. Thread-safe.
 */
public final class PostgresReplayDesk {

    private static final Duration COUNTING = Duration.ofSeconds(5);
    /** The statement was cancelled, here because its time was up. */
    private static final String OUT_OF_TIME = "57014";

    private static final int MOST_LISTED = 1_000;

    private final DataSource database;
    private final Schema schema;
    private final Duration counting;
    private final Signature signature;

    public PostgresReplayDesk(DataSource database, Schema schema) {
        this(database, schema, COUNTING);
    }

    /** One that gives up counting events after this time; how many a replay has is then unknown. */
    PostgresReplayDesk(DataSource database, Schema schema, Duration counting) {
        this(database, schema, counting, Signature.OF_LOGIN);
    }

    private PostgresReplayDesk(DataSource database, Schema schema, Duration counting, Signature signature) {
        this.database = database;
        this.schema = schema;
        this.counting = counting;
        this.signature = signature;
    }

    /** The same, and what it changes is recorded in the name of this caller. */
    public PostgresReplayDesk as(String who) {
        return new PostgresReplayDesk(database, schema, counting, new Signature(who));
    }

    /**
     * Starts a replay of what is committed now, and is selected, and its route wants.
     *
     * <p>What it has to publish is not pruned while it is RUNNING or FAILED.
     */
    public Replay start(Replay.Request request) {
        return start(request, true);
    }

    /** What {@link #start} would start. Changes nothing. */
    public Replay look(Replay.Request request) {
        return start(request, false);
    }

    private Replay start(Replay.Request request, boolean keep) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(false);
            try {
                Replay started = counted(connection, request);
                if (keep) {
                    connection.commit();
                }
                return started;
            } finally {
                connection.rollback();
                connection.setAutoCommit(true);
            }
        } catch (SQLException e) {
            throw OperatorErrors.translate("start a replay in schema", schema, e);
        }
    }

    private Replay counted(Connection connection, Replay.Request request) throws SQLException {
        try {
            return insert(connection, request, true);
        } catch (SQLException failed) {
            if (!OUT_OF_TIME.equals(failed.getSQLState())) {
                throw failed;
            }
            connection.rollback();
            return insert(connection, request, false);
        }
    }

    private Replay insert(Connection connection, Replay.Request request, boolean count) throws SQLException {
        try (PreparedStatement limit = connection.prepareStatement(Sql.load("replay_patience", schema))) {
            new Parameters(limit).text("limit", count ? Long.toString(counting.toMillis()) : "0");
            limit.execute();
        }
        UUID id;
        try (PreparedStatement start = signature.prepare(connection, Sql.load("replay_start", schema))) {
            bind(new Parameters(start), request, count);
            try (ResultSet row = signature.run(start)) {
                row.next();
                id = row.getObject(1, UUID.class);
            }
        }
        return list(connection, id, 1).get(0);
    }

    private static void bind(Parameters parameters, Replay.Request request, boolean count) throws SQLException {
        Selection selection = request.selection();
        Optional<Source.Archived> archived = request.source().reduce(Optional::empty, Optional::of);
        parameters
                .name("kind of target", ReplayRows.kindOf(request.target()))
                .name("name of target", request.target().name())
                .namesOrNull("domain", selection.domains())
                .namesOrNull("type", selection.types())
                .namesOrNull("aggregate type", selection.aggregateTypes())
                .namesOrNull("key", selection.keys())
                .namesOrNull("tenant", selection.tenants())
                .time(selection.from())
                .time(selection.to())
                .number(
                        request.rate().isPresent()
                                ? OptionalLong.of(request.rate().getAsInt())
                                : OptionalLong.empty())
                .remark(request.reason())
                .text("folder", archived.map(Source.Archived::folder).orElse(null));
        if (archived.isPresent()) {
            parameters.texts("volume", archived.get().volumes());
        } else {
            parameters.noArray();
        }
        parameters
                .number(archived.isPresent() ? OptionalLong.of(archived.get().end()) : OptionalLong.empty())
                .number(archived.isPresent() ? archived.get().of() : OptionalLong.empty())
                .value(count);
    }

    /** Ends a replay that is RUNNING or FAILED for ever. What is in flight may still arrive. */
    public void cancel(UUID replay, String reason) {
        decide("replay_cancel", replay, reason);
    }

    /** Lets a replay that is FAILED go on with the event that stopped it. */
    public void resume(UUID replay, @Nullable String reason) {
        decide("replay_resume", replay, reason);
    }

    private void decide(String statement, UUID replay, @Nullable String reason) {
        try (Connection connection = database.getConnection();
                PreparedStatement call = signature.prepare(connection, Sql.load(statement, schema))) {
            new Parameters(call).value(replay).remark(reason);
            call.execute();
        } catch (SQLException e) {
            throw OperatorErrors.translate("change replay " + replay + " of schema", schema, e);
        }
    }

    /** The newest ones first, at most a thousand. */
    public List<Replay> list() {
        return listed(null);
    }

    /** How this one stands. */
    public Replay find(UUID replay) {
        List<Replay> found = listed(replay);
        if (found.isEmpty()) {
            throw new PosthornException("There is no replay " + replay + ". See: posthorn replay list");
        }
        return found.get(0);
    }

    private List<Replay> listed(@Nullable UUID replay) {
        try (Connection connection = database.getConnection()) {
            return list(connection, replay, MOST_LISTED);
        } catch (SQLException e) {
            throw OperatorErrors.translate("look at the replays of schema", schema, e);
        }
    }

    private List<Replay> list(Connection connection, @Nullable UUID replay, int limit) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(Sql.load("replay_list", schema))) {
            new Parameters(query).value(replay).value(replay).value(limit);
            try (ResultSet rows = query.executeQuery()) {
                List<Replay> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(ReplayRows.read(rows));
                }
                return found;
            }
        }
    }
}
