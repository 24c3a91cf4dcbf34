package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.transport.Capabilities;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;

/** A transport that is closed together with the pool it uses. */
record OwningTransport(Transport transport, HikariDataSource pool) implements Transport {

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
    public void close() {
        transport.close();
        pool.close();
    }
}
