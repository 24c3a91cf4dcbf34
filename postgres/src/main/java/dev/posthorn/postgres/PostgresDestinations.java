package dev.posthorn.postgres;

import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.DestinationRegister;
import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Where the routes of a schema publish, and which destinations exist there. Thread-safe.
 *
 * <p>Relays and consumers need the rights of a {@link RoleKind#RELAY} or {@link RoleKind#CONSUMER}; what an operator does needs
 * those of an {@link RoleKind#OPERATOR} and is recorded.
 */
public final class PostgresDestinations {

    /**
     * A destination that was used.
     *
     * @param place address without secrets, and prefix
     * @param kind such as topic or queue
     * @param missingSince since when it does not exist any more
     * @param unheardSince since when nobody subscribes to it
     * @param routes live ones that publish at this place
     */
    public record Destination(
            String place,
            String kind,
            String name,
            Instant firstSeen,
            Optional<Instant> missingSince,
            Optional<Instant> unheardSince,
            List<String> routes) {}

    private static final String PLACE = "destination";
    private static final String NAME = "destination name";
    private static final String ROUTE = "route name";

    private final DataSource database;
    private final Schema schema;
    private final Signature signature;

    public PostgresDestinations(DataSource database, Schema schema) {
        this(database, schema, Signature.OF_LOGIN);
    }

    private PostgresDestinations(DataSource database, Schema schema, Signature signature) {
        this.database = database;
        this.schema = schema;
        this.signature = signature;
    }

    /** The same, and what it changes is recorded in the name of this caller. */
    public PostgresDestinations as(String who) {
        return new PostgresDestinations(database, schema, new Signature(who));
    }

    /** Every destination that was used, by place. */
    public List<Destination> list() {
        return new Looks(database, schema)
                .query(
                        "destination_list",
                        bind -> {},
                        row -> new Destination(
                                row.getString("place"),
                                row.getString("kind"),
                                row.getString("name"),
                                Looks.time(row, "first_seen"),
                                Looks.optionalTime(row, "missing_since"),
                                Looks.optionalTime(row, "unheard_since"),
                                strings(row.getArray("routes"))));
    }

    private static List<String> strings(Array array) throws SQLException {
        return Arrays.asList((String[]) array.getArray());
    }

    /** Where the route publishes; if nobody has said before, it is here from now on. Empty: there is no such route. */
    public Optional<String> settle(String route, String place) {
        return Optional.ofNullable(
                call("settle_route", bind -> bind.name(ROUTE, route).text(PLACE, place), row -> row.getString(1)));
    }

    /**
     * Why a route may not publish there, or empty if it may: it published elsewhere before, and nobody has confirmed the change.
     *
     * @param flag the setting that confirms it at a start
     */
    public Optional<String> refusal(String route, String place, String flag) {
        return settle(route, place)
                .filter(before -> !before.equals(place))
                .map(before -> "Route \"" + route + "\" has published to " + before
                        + " until now, and is configured for "
                        + place
                        + ". Subscribers of the former place would get nothing more. If this is intended, confirm it"
                        + " with: posthorn routes redirect " + route + " --to \"" + place + "\" --reason WHY; or with "
                        + flag + " for one start. If not, correct the address or the prefix.");
    }

    /** Confirms that a route publishes elsewhere from now on. Returns whether that is new. */
    public boolean redirect(String route, String place, @Nullable String reason) {
        return call(
                "redirect_route",
                bind -> bind.name(ROUTE, route).text(PLACE, place).remark(reason),
                row -> row.getBoolean(1));
    }

    /** Lets missing destinations of this name be created again. Returns how many there were. */
    public int allow(String name, @Nullable String reason) {
        return call("create_destination", bind -> bind.text(NAME, name).remark(reason), row -> row.getInt(1));
    }

    /** Records to which of a place nobody subscribes; somebody does to all others. */
    public void unheard(String place, Collection<String> names) {
        int unused =
                call("unheard_destinations", bind -> bind.text(PLACE, place).texts(NAME, names), row -> row.getInt(1));
    }

    /** The names at this place that carry events. */
    public Set<String> ofEvents(String place) {
        Set<String> kinds = Arrays.stream(DestinationKind.values())
                .filter(DestinationKind::carriesEvents)
                .map(DestinationKind::word)
                .collect(Collectors.toSet());
        return list().stream()
                .filter(one -> one.place().equals(place) && kinds.contains(one.kind()))
                .map(Destination::name)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** What a transport at this place remembers. Asks the database until a destination is found. */
    public DestinationRegister register(String place) {
        return new Register(place);
    }

    private <T extends @Nullable Object> T call(String name, Connections.Binder binder, Looks.Mapper<T> mapper) {
        try (Connection connection = database.getConnection();
                PreparedStatement statement = signature.prepare(connection, Sql.load(name, schema))) {
            binder.bind(new Parameters(statement));
            try (ResultSet row = signature.run(statement)) {
                row.next();
                return mapper.map(row);
            }
        } catch (SQLException e) {
            throw OperatorErrors.translate("use the destinations of schema", schema, e);
        }
    }

    private final class Register implements DestinationRegister {

        private record Entry(DestinationKind kind, String name) {}

        private final String place;
        /** Those that were found to exist. */
        private final Set<Entry> found = ConcurrentHashMap.newKeySet();

        Register(String place) {
            this.place = place;
        }

        @Override
        public boolean isKnown(DestinationKind kind, String name) {
            Entry entry = new Entry(kind, name);
            return found.contains(entry) || ask("is_destination", entry);
        }

        @Override
        public void found(DestinationKind kind, String name) {
            Entry entry = new Entry(kind, name);
            if (!found.contains(entry)) {
                boolean unused = ask("found_destination", entry);
                found.add(entry);
            }
        }

        @Override
        public void missing(DestinationKind kind, String name) {
            Entry entry = new Entry(kind, name);
            found.remove(entry);
            boolean unused = ask("miss_destination", entry);
        }

        private boolean ask(String statement, Entry entry) {
            return call(
                    statement,
                    bind -> bind.text(PLACE, place)
                            .text("kind", entry.kind().word())
                            .text(NAME, entry.name()),
                    row -> row.getBoolean(1));
        }
    }
}
