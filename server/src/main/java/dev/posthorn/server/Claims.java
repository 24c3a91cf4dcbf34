package dev.posthorn.server;

import dev.posthorn.claimcheck.ClaimCheckConfig;
import dev.posthorn.claimcheck.ClaimingPublisher;
import dev.posthorn.claimcheck.PayloadCollector;
import dev.posthorn.claimcheck.PayloadStore;
import dev.posthorn.postgres.PostgresClaims;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Publisher;
import dev.posthorn.transport.Transport;
import java.time.Clock;
import javax.sql.DataSource;

/** The claim check of a relay process: rows that somebody wrote with a payload too large for the way travel as a reference. */
final class Claims implements AutoCloseable {

    private final PayloadStore store;
    private final PostgresClaims register;
    private final ClaimCheckConfig config;

    private Claims(PayloadStore store, PostgresClaims register, ClaimCheckConfig config) {
        this.store = store;
        this.register = register;
        this.config = config;
    }

    static Claims open(ClaimPlan plan, DataSource database, Schema schema) {
        return new Claims(
                plan.open(),
                new PostgresClaims(database, schema),
                ClaimCheckConfig.DEFAULT.withThreshold(plan.threshold()));
    }

    Publisher around(Publisher publisher, Transport transport) {
        return ClaimingPublisher.around(publisher, transport.capabilities(), store, register, config);
    }

    /** Removes what nobody needs any more. */
    PayloadCollector collector() {
        return new PayloadCollector(store, register, PayloadCollector.Limits.DEFAULT, Clock.systemUTC());
    }

    @Override
    public void close() {
        store.close();
    }
}
