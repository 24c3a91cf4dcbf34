package dev.posthorn.console;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import java.util.List;

/** Routes. */
public final class RoutesFormat {

    private RoutesFormat() {}

    public static ObjectNode list(List<RouteStatus> routes) {
        ObjectNode node = Json.object();
        node.set("routes", Json.array(routes, RoutesFormat::route));
        return node;
    }

    private static ObjectNode route(RouteStatus route) {
        ObjectNode node = Json.object()
                .put("name", route.name())
                .put("start", route.start())
                .put("created_at", route.createdAt().toString())
                .put("paused_at", Json.time(route.pausedAt()))
                .put("retired_at", Json.time(route.retiredAt()));
        node.set("domains", Json.strings(route.filter().domains()));
        node.set("types", Json.strings(route.filter().types()));
        node.set("tenants", Json.strings(route.filter().tenants()));
        node.set("except_tenants", Json.strings(route.filter().exceptTenants()));
        return node;
    }
}
