package dev.posthorn.transports.postgreslog;

import dev.posthorn.testkit.TestBroker;
import dev.posthorn.testkit.TransportFaultsContract;
import org.junit.jupiter.api.Tag;

@Tag("slow")
class PostgresLogFaultsTest extends TransportFaultsContract {

    @Override
    protected TestBroker startBroker() {
        return new PostgresBroker();
    }
}
