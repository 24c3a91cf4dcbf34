package dev.posthorn.transports.redisstreams;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Entries that were deleted before they were handled: counted, logged, and never forgotten while the process lives. */
final class Losses {

    private static final Logger LOG = LoggerFactory.getLogger(Losses.class);

    private final AtomicLong count = new AtomicLong();

    void add(Shard shard, String id) {
        count.incrementAndGet();
        LOG.error(
                "Entry {} of stream {} was deleted before group {} had handled it: the event is lost for this subscriber."
                        + " Find out who runs XDEL, XTRIM or an eviction policy on this key.",
                id,
                shard.stream,
                shard.group);
    }

    Optional<String> asTrouble() {
        long lost = count.get();
        return lost == 0
                ? Optional.empty()
                : Optional.of(
                        lost + " events were lost: their entries were deleted before they were handled, see the log");
    }
}
