package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.SubscriberCheck;
import dev.posthorn.transport.Transport;
import dev.posthorn.transports.postgreslog.PostgresLogTransport;
import java.util.Set;

/** A transport that is closed together with the pool it uses. */
record OwningTransport(PostgresLogTransport transport, HikariDataSource pool) implements Transport, SubscriberCheck {

    @Override
    public String name() {
        return transport.name();
    }

    @Override
    public Capabilities capabilities() {
        return transport.capabilities();
    }

    @Override
    public Publisher publisher() {
        return transport.publisher();
    }

    @Override
    public Set<String> unsubscribed(Set<String> destinations) {
        return transport.unsubscribed(destinations);
    }

    @Override
    public void close() {
        transport.close();
        pool.close();
    }
}
