package dev.posthorn.postgres;

import dev.posthorn.relay.RouteFilter;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A route as the relay's statements need it. */
record StoredRoute(short id, RouteFilter filter, boolean isRetired) {

    static StoredRoute of(ResultSet row) throws SQLException {
        return new StoredRoute(row.getShort("id"), filterOf(row), row.getObject("retired_at") != null);
    }

    static RouteFilter filterOf(ResultSet row) throws SQLException {
        return new RouteFilter(
                names(row, "domains"), names(row, "types"), names(row, "tenants"), names(row, "except_tenants"));
    }

    private static Set<String> names(ResultSet row, String column) throws SQLException {
        @Nullable Array array = row.getArray(column);
        return array == null ? Set.of() : Set.of((String[]) array.getArray());
    }
}
