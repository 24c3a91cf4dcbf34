package dev.posthorn.demo;

import dev.posthorn.examples.holdco.Aggregate;
import dev.posthorn.examples.holdco.Holdco;
import dev.posthorn.examples.holdco.Tenant;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Lets things happen to random aggregates. */
record HoldcoBusiness(Holdco holdco) implements ExampleProducer.Business {

    private static final int AGGREGATES_OF_A_TYPE = 40;
    private static final int GROUPS = 3;
    private static final List<Aggregate> AGGREGATES = List.of(Aggregate.values());

    @Override
    public UUID happen(Connection connection, Random random) throws SQLException {
        Aggregate aggregate = AGGREGATES.get(random.nextInt(AGGREGATES.size()));
        int number = random.nextInt(AGGREGATES_OF_A_TYPE);
        String type =
                aggregate.eventTypes().get(random.nextInt(aggregate.eventTypes().size()));
        return holdco.change(connection, tenantOf(number), aggregate, named(aggregate.type() + "-" + number), type);
    }

    /** Every other one belongs to the whole group. */
    private static Tenant tenantOf(int number) {
        UUID group = named("group-" + number % GROUPS);
        return new Tenant(group, number % 2 == 0 ? null : named("subsidiary-" + number % GROUPS));
    }

    private static UUID named(String name) {
        return UUID.nameUUIDFromBytes(name.getBytes(StandardCharsets.UTF_8));
    }
}
