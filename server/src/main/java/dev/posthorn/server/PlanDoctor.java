package dev.posthorn.server;

import dev.posthorn.postgres.PostgresDoctor;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Transport;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Tells doctors what a plan says of relays. Connects to no broker. Thread-safe. */
final class PlanDoctor {

    private final RelayPlan plan;

    /** What transports take does not change, so it is asked for once. */
    private volatile @Nullable Map<String, Long> largestPayloads;

    PlanDoctor(RelayPlan plan) {
        this.plan = plan;
    }

    PostgresDoctor tell(PostgresDoctor doctor) {
        Map<String, Long> known = largestPayloads;
        if (known == null) {
            known = largestPayloads();
            largestPayloads = known;
        }
        return plan.pruning().retention().tell(doctor.withLargestPayloads(known));
    }

    private Map<String, Long> largestPayloads() {
        Map<String, Long> byTransport = new HashMap<>();
        Map<String, Long> byRoute = new HashMap<>();
        for (RelayPlan.RoutePlan route : plan.routes()) {
            RelayPlan.TransportPlan named = route.transport();
            byRoute.put(
                    route.route().name(), byTransport.computeIfAbsent(named.name(), name -> takes(plan.name(), named)));
        }
        return Map.copyOf(byRoute);
    }

    private static long takes(String relay, RelayPlan.TransportPlan named) {
        TransportChoice.Settings settings = new TransportChoice.Settings(
                relay,
                named.prefix(),
                named.layout(),
                named.names(),
                named.properties(),
                Provisioning.of(named.provision()));
        try (Transport transport = named.choice().open(settings)) {
            return transport.capabilities().maxMessageBytes();
        }
    }
}
