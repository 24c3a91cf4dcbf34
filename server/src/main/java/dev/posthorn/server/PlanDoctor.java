package dev.posthorn.server;

import dev.posthorn.console.Retention;
import dev.posthorn.postgres.PostgresDoctor;
import dev.posthorn.transport.Transport;
import java.util.HashMap;
import java.util.Map;

/** Tells the doctor what a plan says of relays. Connects to no broker. */
final class PlanDoctor {

    private PlanDoctor() {}

    static PostgresDoctor tell(PostgresDoctor doctor, RelayPlan plan) {
        Retention retention = plan.pruning().retention();
        return doctor.withLargestPayloads(largestPayloads(plan))
                .withRetention(retention.inbox(), retention.age(), retention.broker());
    }

    private static Map<String, Long> largestPayloads(RelayPlan plan) {
        Map<String, Long> byTransport = new HashMap<>();
        Map<String, Long> byRoute = new HashMap<>();
        for (RelayPlan.RoutePlan route : plan.routes()) {
            RelayPlan.TransportPlan named = route.transport();
            byRoute.put(
                    route.route().name(), byTransport.computeIfAbsent(named.name(), name -> takes(plan.name(), named)));
        }
        return byRoute;
    }

    private static long takes(String relay, RelayPlan.TransportPlan named) {
        TransportChoice.Settings settings = new TransportChoice.Settings(relay, named.prefix(), named.properties());
        try (Transport transport = named.choice().open(settings)) {
            return transport.capabilities().maxMessageBytes();
        }
    }
}
