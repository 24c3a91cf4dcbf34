package dev.posthorn.examples.licenses;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** Writes the notices about licenses: to admins that one waits for review, to stores what was decided. */
public final class Compliance {

    private static final String INSERT = """
            INSERT INTO compliance.notifications (type, audience, store_id, license_id, message, link, reason, event_id)
            VALUES ('compliance', ?, ?, ?, ?, ?, ?, ?)
            """;

    private Compliance() {}

    // docs:start:licenses-handler
    /** The notice is the effect, and the table of notices is the audit trail. */
    public static EventHandler<Connection> handler() {
        return EventHandler.of((event, connection) -> {
            LicenseStatusChanged changed = event.payloadAs(LicenseStatusChanged.class, EventTypes.JSON);
            switch (changed.status()) {
                case PENDING -> write(connection, event, "admin", null, changed);
                case VERIFIED, REJECTED -> write(connection, event, "store", changed.storeId(), changed);
            }
        });
    }
    // docs:end:licenses-handler

    private static void write(
            Connection connection, Event event, String audience, @Nullable String store, LicenseStatusChanged changed)
            throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
            insert.setString(1, audience);
            insert.setString(2, store);
            insert.setString(3, changed.licenseId());
            insert.setString(4, store == null ? "A license waits for review" : "Your license is " + text(changed));
            insert.setString(5, store == null ? review(changed) : own(changed));
            insert.setString(6, changed.reason());
            insert.setObject(7, event.id());
            insert.executeUpdate();
        }
    }

    private static String text(LicenseStatusChanged changed) {
        return changed.status().text();
    }

    private static String review(LicenseStatusChanged changed) {
        return "/admin/licenses/" + changed.licenseId();
    }

    private static String own(LicenseStatusChanged changed) {
        return "/stores/" + changed.storeId() + "/licenses/" + changed.licenseId();
    }
}
