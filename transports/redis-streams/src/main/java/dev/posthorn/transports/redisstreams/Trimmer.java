package dev.posthorn.transports.redisstreams;

import dev.posthorn.transport.FailureLog;
import io.lettuce.core.SetArgs;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops from all streams what every group has acknowledged and what is older than the retention. Of all transports with
 * the same prefix one does it each time. Used by one thread.
 */
final class Trimmer implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Trimmer.class);
    /** Redis stops by itself after about 10,000 entries, so as not to stand still for others. */
    private static final int MOST_STEPS = 100;

    private final Connector connector;
    private final RedisStreamsConfig config;
    private final StreamNames names;
    private @Nullable Link link;
    private boolean looked;
    private final FailureLog failures = new FailureLog(LOG, "Trimming of streams", "");

    Trimmer(Connector connector, RedisStreamsConfig config, StreamNames names) {
        this.connector = connector;
        this.config = config;
        this.names = names;
    }

    /** Trims if it is time and nobody else has; answers how many entries went. Never throws. */
    long runOnce() {
        try {
            Link current = link;
            if (current == null || !current.isOpen()) {
                current = connector.connect().join();
                link = current;
            }
            if (!looked) {
                looked = true;
                ServerSettings.of(current).report();
            }
            long trimmed = isOurTurn(current) ? trimAll(current) : 0;
            failures.recovered();
            return trimmed;
        } catch (RuntimeException failure) {
            failures.failed(connector.reason(failure));
            close();
            return 0;
        }
    }

    private boolean isOurTurn(Link current) {
        byte[] lease = Link.bytes(names.trimLease());
        SetArgs onlyOne = SetArgs.Builder.nx().px(config.timing().trimEvery());
        return current.await(current.commands().set(lease, Link.bytes("taken"), onlyOne)) != null;
    }

    long trimAll(Link current) {
        String retention = Long.toString(config.timing().retention().toMillis());
        long total = 0;
        for (byte[] stream : current.await(current.commands().hkeys(Link.bytes(names.registry())))) {
            long trimmed = 1;
            for (int i = 0; i < MOST_STEPS && trimmed > 0; i++) {
                trimmed = (Long) current.await(current.run(Script.TRIM, List.of(Link.text(stream)), List.of(retention)))
                        .get(0);
                total += trimmed;
            }
        }
        LOG.debug("{} entries were trimmed", total);
        return total;
    }

    @Override
    public void close() {
        if (link != null) {
            link.close();
        }
        link = null;
    }
}
