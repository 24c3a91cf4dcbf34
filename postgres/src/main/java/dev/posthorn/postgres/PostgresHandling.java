package dev.posthorn.postgres;

import dev.posthorn.relay.HandlingStore;
import java.util.Set;

/** What handlers do and the flush that says so, in one transaction. Thread-safe. */
final class PostgresHandling implements HandlingStore {

    private final Connections connections;
    private final PostgresCheckpoints checkpoints;

    PostgresHandling(Connections connections, PostgresCheckpoints checkpoints) {
        this.connections = connections;
        this.checkpoints = checkpoints;
    }

    @Override
    public Set<Integer> handle(String relay, Work work) {
        try {
            return connections.transaction("handle events", connection -> {
                Result result = work.run(connection);
                if (result.lanes().isEmpty()) {
                    return Set.of();
                }
                Set<Integer> lost = checkpoints.write(connection, relay, result.incarnation(), result.lanes());
                if (!lost.isEmpty()) {
                    throw new FencedException(lost);
                }
                return lost;
            });
        } catch (FencedException fenced) {
            return fenced.lost;
        }
    }

    /** Rolls back all that the transaction did. */
    private static final class FencedException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final transient Set<Integer> lost;

        FencedException(Set<Integer> lost) {
            super("lanes " + lost + " are somebody else's");
            this.lost = lost;
        }
    }
}
