package dev.posthorn.examples.openpaw;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The domain service of assets: the versions of an asset have no gaps, and each is told. Thread-safe. */
public final class AssetRegistry {

    private static final String NEXT = """
            INSERT INTO registry.assets AS a (site, id, latest) VALUES (?, ?, 1)
            ON CONFLICT (site, id) DO UPDATE SET latest = a.latest + 1
            RETURNING latest
            """;
    private static final String INSERT = """
            INSERT INTO registry.asset_versions (site, asset_id, version, tenant_id, author, event_id, copy_of)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    private final Outbox outbox;

    public AssetRegistry(Outbox outbox) {
        this.outbox = outbox;
    }

    /**
     * What somebody wants to be a new version.
     *
     * @param correlationId of the request
     */
    public record Draft(Site site, String tenant, String correlationId, String asset, String author) {}

    // docs:start:openpaw-create
    /** Writes the next version of an asset and its event, in the connection's transaction. Returns the event's id. */
    public UUID createAssetVersion(Connection connection, Draft draft) throws SQLException {
        int number = next(connection, draft.site(), draft.asset());
        AssetVersion version = new AssetVersion(draft.site(), draft.site(), draft.asset(), number, draft.author());
        Event event = Event.of(Openpaw.DOMAIN, Openpaw.VERSION_CREATED)
                .key(draft.asset()) // the events of an asset are in order
                .aggregate("asset", draft.asset())
                .tenant(draft.tenant())
                .correlationId(draft.correlationId())
                .json(version.json())
                .build();
        insert(connection, version, event, null);
        outbox.emit(connection, event);
        return event.id();
    }
    // docs:end:openpaw-create

    /** Writes what was written at another site as the next version of this one, and tells that, too. */
    void copy(Connection connection, Event original, Site target) throws SQLException {
        AssetVersion from = AssetVersion.of(original);
        int number = next(connection, target, from.asset());
        AssetVersion version = new AssetVersion(target, from.origin(), from.asset(), number, from.author());
        Event event = Openpaw.following(original, Openpaw.VERSION_CREATED, version.json());
        insert(connection, version, event, original.id());
        outbox.emit(connection, event);
    }

    private static int next(Connection connection, Site site, String asset) throws SQLException {
        try (PreparedStatement next = connection.prepareStatement(NEXT)) {
            next.setString(1, site.word());
            next.setString(2, asset);
            try (ResultSet row = next.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static void insert(Connection connection, AssetVersion version, Event event, @Nullable UUID copyOf)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, version.site().word());
            insert.setString(2, version.asset());
            insert.setInt(3, version.number());
            insert.setString(4, event.tenant().orElse(""));
            insert.setString(5, version.author());
            insert.setObject(6, event.id());
            insert.setObject(7, copyOf);
            insert.executeUpdate();
        }
    }
}
