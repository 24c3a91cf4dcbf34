package dev.posthorn.postgres;

import dev.posthorn.claimcheck.Claim;
import dev.posthorn.claimcheck.ClaimRegister;
import dev.posthorn.claimcheck.PayloadHolder;
import dev.posthorn.claimcheck.PayloadKey;
import dev.posthorn.outbox.EmitFailedException;
import dev.posthorn.outbox.NoTransactionException;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which events of a log refer to which payloads.
 *
 * <p>To register needs the rights of a {@link RoleKind#PRODUCER} or a {@link RoleKind#RELAY}, to sweep those of a {@link
 * RoleKind#RELAY} or an {@link RoleKind#OPERATOR}. Thread-safe.
 */
public final class PostgresClaims implements ClaimRegister {

    private static final Logger LOG = LoggerFactory.getLogger(PostgresClaims.class);
    private static final byte[] BEFORE_ALL = {};

    /** How long a removal may take, with what its store waits for answers; after that its process is taken for dead. */
    private static final Duration MARK = Duration.ofMinutes(2);

    /** How long after its mark was asked for a removal may begin. */
    private static final Duration LATEST_REMOVAL = Duration.ofSeconds(30);

    private final DataSource database;
    private final Schema schema;
    private final String claim;

    public PostgresClaims(DataSource database, Schema schema) {
        this.database = database;
        this.schema = schema;
        this.claim = Sql.load("claim_payloads", schema);
    }

    /**
     * The log and the dead letters of another database than the one with the register, such as a consumer's. It needs the
     * rights of a {@link RoleKind#RELAY} or an {@link RoleKind#OPERATOR} there.
     */
    public static PayloadHolder holder(DataSource database, Schema schema) {
        PostgresClaims there = new PostgresClaims(database, schema);
        return events -> there.keptAmong(events);
    }

    @Override
    public void register(Connection connection, Collection<Claim> claims) {
        try {
            if (connection.getAutoCommit()) {
                throw new NoTransactionException();
            }
            send(connection, claims);
        } catch (SQLException failed) {
            throw new EmitFailedException(failed, false);
        }
    }

    @Override
    public void register(Claim one) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            send(connection, List.of(one));
        } catch (SQLException failed) {
            throw OperatorErrors.translate("register a payload in schema", schema, failed);
        }
    }

    private void send(Connection connection, Collection<Claim> claims) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(claim)) {
            new Parameters(statement)
                    .column("uuid", claims, Claim::eventId)
                    .texts("payload key", claims, one -> hex(one.key()))
                    .column("int8", claims, Claim::length);
            statement.execute();
        }
    }

    /** As bytea is written: the driver has no arrays of byte arrays that come from a collection. */
    private static String hex(PayloadKey key) {
        return "\\x" + key.sha256();
    }

    @Override
    public List<PayloadKey> released(Optional<PayloadKey> after, Duration kept, int most) {
        return asked("look for released payloads in schema", "released_payloads", bind -> {
            bind.value(after.map(PayloadKey::bytes).orElse(BEFORE_ALL));
            bind.value(kept.toMillis()).value(most);
        });
    }

    @Override
    public Set<PayloadKey> unknown(Collection<PayloadKey> keys) {
        return Set.copyOf(asked(
                "look for unknown payloads in schema",
                "unknown_payloads",
                bind -> bind.texts("payload key", keys, PostgresClaims::hex)));
    }

    private List<PayloadKey> asked(String what, String statement, Connections.Binder binder) {
        return rows(what, statement, binder, row -> new PayloadKey(row.getString(1)));
    }

    private Set<UUID> keptAmong(Set<UUID> events) {
        return Set.copyOf(rows(
                "look for events in schema",
                "kept_events",
                bind -> bind.array("uuid", events),
                row -> row.getObject(1, UUID.class)));
    }

    private <T> List<T> rows(String what, String statement, Connections.Binder binder, Connections.Mapper<T> mapper) {
        try (Connection connection = database.getConnection();
                PreparedStatement query = connection.prepareStatement(Sql.load(statement, schema))) {
            connection.setAutoCommit(true);
            binder.bind(new Parameters(query));
            try (ResultSet rows = query.executeQuery()) {
                List<T> all = new ArrayList<>();
                while (rows.next()) {
                    all.add(mapper.map(rows));
                }
                return all;
            }
        } catch (SQLException failed) {
            throw OperatorErrors.translate(what, schema, failed);
        }
    }

    /**
     * In two transactions, with the removal in between: the mark of the first holds off registrations whatever becomes of this
     * session, and the second takes it away. A removal that would begin late is left out, so that none is on its way when the
     * time of its mark is over and others go on.
     */
    @Override
    public boolean sweep(PayloadKey key, Duration kept, Predicate<Set<UUID>> removal) {
        UUID token = UUID.randomUUID();
        long begun = System.nanoTime();
        @Nullable Set<UUID> events = marked(key, kept, token);
        if (events == null) {
            return false;
        }
        boolean removed = false;
        try {
            removed = System.nanoTime() - begun < LATEST_REMOVAL.toNanos() && removal.test(events);
        } finally {
            unmark(key, token, removed);
        }
        return removed;
    }

    /** The events that referred to it, or null if it is to stay. */
    private @Nullable Set<UUID> marked(PayloadKey key, Duration kept, UUID token) {
        try (Connection connection = database.getConnection()) {
            connection.setAutoCommit(true);
            connection.setTransactionIsolation(Connection.TRANSACTION_READ_COMMITTED);
            try (PreparedStatement statement = connection.prepareStatement(Sql.load("mark_payload", schema))) {
                new Parameters(statement)
                        .value(key.bytes())
                        .value(kept.toMillis())
                        .value(token)
                        .value(MARK.toMillis());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    Array events = row.getArray(1);
                    return events == null ? null : Set.of((UUID[]) events.getArray());
                }
            }
        } catch (SQLException failed) {
            throw OperatorErrors.translate("mark the payload " + key + " in schema", schema, failed);
        }
    }

    private void unmark(PayloadKey key, UUID token, boolean removed) {
        List<Boolean> ours = rows(
                "sweep the payload " + key + " in schema",
                "unmark_payload",
                bind -> bind.value(key.bytes()).value(token).value(removed),
                row -> row.getBoolean(1));
        if (!ours.get(0)) {
            LOG.warn("The removal of payload {} took longer than {}; it is referred to again", key, MARK);
        }
    }

    /**
     * Says that the volumes with events claimed before this time were removed from the archive, so that their payloads may go.
     * It is recorded. Needs the rights of a {@link RoleKind#OPERATOR}.
     *
     * @return how many events that are
     */
    public long releaseArchived(Instant claimedBefore, String reason) {
        return rows(
                        "release archived payloads in schema",
                        "release_archived_payloads",
                        bind -> bind.time(Optional.of(claimedBefore)).remark(reason),
                        row -> row.getLong(1))
                .get(0);
    }
}
