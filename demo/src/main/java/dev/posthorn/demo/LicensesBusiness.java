package dev.posthorn.demo;

import dev.posthorn.examples.licenses.Licenses;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Stores upload licenses, somebody decides about them, and what was decided is uploaded again some day. */
record LicensesBusiness(Licenses licenses) implements ExampleProducer.Business {

    private static final int LICENSES = 200;
    private static final int STORES = 20;
    private static final List<String> REASONS = List.of("it has expired", "the page is unreadable", "wrong store");
    /** Two transactions about one license take turns, which its first upload has no row for. */
    private static final String TURN = "SELECT pg_advisory_xact_lock(hashtext(?))";

    private static final String STATUS = "SELECT status FROM marketplace.license WHERE id = ?";

    @Override
    public UUID happen(Connection connection, Random random) throws SQLException {
        int number = random.nextInt(LICENSES);
        String license = "lic_" + number;
        query(connection, TURN, license);
        if (!"pending".equals(query(connection, STATUS, license))) {
            return licenses.upload(connection, license, "store_" + number % STORES);
        }
        return switch (random.nextInt(3)) {
            case 0 -> licenses.reject(connection, license, null);
            case 1 -> licenses.reject(connection, license, REASONS.get(random.nextInt(REASONS.size())));
            default -> licenses.approve(connection, license);
        };
    }

    private static @Nullable String query(Connection connection, String sql, String license) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            statement.setString(1, license);
            try (ResultSet row = statement.executeQuery()) {
                return row.next() ? row.getString(1) : null;
            }
        }
    }
}
