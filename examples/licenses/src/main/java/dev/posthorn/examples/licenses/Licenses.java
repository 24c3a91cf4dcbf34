package dev.posthorn.examples.licenses;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.registry.CheckedOutbox;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Where licenses are uploaded, approved and rejected: the API's service. Thread-safe. */
public final class Licenses {

    /** Of all events of this system. */
    public static final String DOMAIN = "licenses";

    /** What its events are about. */
    public static final String AGGREGATE_TYPE = "license";

    private static final String CHANGE = """
            WITH changed AS (
              INSERT INTO marketplace.license AS l (id, store_id, status, reason, version) VALUES (?, ?, ?, ?, 1)
              ON CONFLICT (id) DO UPDATE SET status = excluded.status, reason = excluded.reason, version = l.version + 1
              RETURNING id, store_id, status, reason, version
            )
            INSERT INTO marketplace.license_change (license_id, version, store_id, status, reason, event_id)
            SELECT id, version, store_id, status, reason, ? FROM changed RETURNING version
            """;
    private static final String STORE = "SELECT store_id FROM marketplace.license WHERE id = ? FOR UPDATE";

    private final Outbox outbox;

    public Licenses(Outbox outbox) {
        this.outbox = new CheckedOutbox(outbox, EventTypes.REGISTRY);
    }

    /** A store uploads a license, or a better copy of one. Returns the event's id. */
    public UUID upload(Connection connection, String license, String store) throws SQLException {
        return change(connection, new LicenseStatusChanged(license, store, LicenseStatus.PENDING, null));
    }

    /** Somebody has looked at it and it is good. */
    public UUID approve(Connection connection, String license) throws SQLException {
        String store = storeOf(connection, license);
        return change(connection, new LicenseStatusChanged(license, store, LicenseStatus.VERIFIED, null));
    }

    public UUID reject(Connection connection, String license, @Nullable String reason) throws SQLException {
        String store = storeOf(connection, license);
        return change(connection, new LicenseStatusChanged(license, store, LicenseStatus.REJECTED, reason));
    }

    // docs:start:licenses-emit
    /** Writes the license, its history and its event, in the connection's transaction. */
    private UUID change(Connection connection, LicenseStatusChanged changed) throws SQLException {
        UUID id = UUID.randomUUID();
        int version = write(connection, changed, id);
        outbox.emit(
                connection,
                Event.of(DOMAIN, LicenseStatusChanged.TYPE)
                        .id(id)
                        .key(changed.licenseId()) // the ordering key: a license's events are in order
                        .sequence(version)
                        .aggregate(AGGREGATE_TYPE, changed.licenseId())
                        .payload(changed, EventTypes.JSON)
                        .build());
        return id;
    }
    // docs:end:licenses-emit

    private static int write(Connection connection, LicenseStatusChanged changed, UUID event) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(CHANGE)) {
            insert.setString(1, changed.licenseId());
            insert.setString(2, changed.storeId());
            insert.setString(3, changed.status().text());
            insert.setString(4, changed.reason());
            insert.setObject(5, event);
            try (ResultSet row = insert.executeQuery()) {
                row.next();
                return row.getInt(1);
            }
        }
    }

    private static String storeOf(Connection connection, String license) throws SQLException {
        try (PreparedStatement select = connection.prepareStatement(STORE)) {
            select.setString(1, license);
            try (ResultSet row = select.executeQuery()) {
                if (!row.next()) {
                    throw new PosthornException("There is no license " + license + ". Upload it first.");
                }
                return row.getString(1);
            }
        }
    }
}
