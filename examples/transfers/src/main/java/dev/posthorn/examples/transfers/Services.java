package dev.posthorn.examples.transfers;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.postgres.PostgresCalls;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/** All consumers in one process. */
public final class Services implements AutoCloseable {

    private final List<Consumer<Connection>> consumers = new ArrayList<>();

    private Services() {}

    /** Starts all; the wrapper may look at what each handles. */
    public static Services start(
            Bus bus,
            DataSource database,
            Cts cts,
            Gateway gateway,
            BiFunction<Service, EventHandler<Connection>, EventHandler<Connection>> wrapper) {
        Services services = new Services();
        for (Service service : Service.values()) {
            EventHandler<Connection> handler = switch (service) {
                case GATEWAY -> gateway.handler();
                case LEDGER -> Ledger.handler();
                case PROJECTIONS -> Projections.handler();
                case CTS -> cts.inbound();
            };
            services.consumers.add(Profile.consumer(bus, service, database, wrapper.apply(service, handler)));
        }
        return services;
    }

    /** The calls that a gateway remembers in this database. */
    public static PostgresCalls calls(DataSource database) {
        return new PostgresCalls(database, Schema.DEFAULT);
    }

    /** Deliveries of what was handled before. */
    public long duplicates() {
        return consumers.stream()
                .mapToLong(consumer -> consumer.report().totals().skipped())
                .sum();
    }

    @Override
    public void close() {
        consumers.forEach(Consumer::close);
    }
}
