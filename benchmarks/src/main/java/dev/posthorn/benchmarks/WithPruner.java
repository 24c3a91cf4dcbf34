package dev.posthorn.benchmarks;

import dev.posthorn.postgres.PostgresPruner;
import dev.posthorn.postgres.PostgresRoutes;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;

/** A drain while a pruner removes what was published before the backlog, as fast as it can. */
final class WithPruner implements Contender {

    private final BenchContext context;
    private final RelayDrain drain;
    private final List<Double> removedPerSecond = new ArrayList<>();
    private volatile boolean over;

    private WithPruner(BenchContext context, RelayDrain drain) {
        this.context = context;
        this.drain = drain;
    }

    /**
     * On a log that holds events up to this place, and the backlog behind it. A route that stays there keeps the backlog
     * from being pruned between two drains.
     */
    static WithPruner of(String name, BenchContext context, long end) throws SQLException {
        BenchRoute keeper = new BenchRoute(context, "keeper");
        keeper.open(context.pool(), "keeper");
        keeper.beginAfter(end);
        return new WithPruner(context, new RelayDrain(name, context, end, RelayDrain.DIRECT));
    }

    @Override
    public String name() {
        return drain.name();
    }

    @Override
    public BenchOptions options() {
        return context.options();
    }

    @Override
    public void prepare() throws SQLException {
        drain.prepare();
        over = false;
    }

    @Override
    public void deliver(CountingSink sink) {
        long start = System.nanoTime();
        long[] removed = new long[1];
        CompletableFuture<Void> pruning = CompletableFuture.runAsync(() -> prune(removed));
        drain.deliver(sink);
        over = true;
        pruning.join();
        removedPerSecond.add(removed[0] * 1e9 / (System.nanoTime() - start));
    }

    private void prune(long[] removed) {
        try {
            new PostgresPruner(context.pool(), context.schema(), Duration.ZERO).prune(soFar -> {
                removed[0] = soFar;
                if (over) {
                    throw new CancellationException("the drain is over");
                }
            });
        } catch (CancellationException drained) {
            // as it should end: there is more to prune than time
        }
    }

    @Override
    public void finish() throws SQLException {
        drain.finish();
        new PostgresRoutes(context.pool(), context.schema()).retire(drain.routeName(), "measured");
    }

    /** Events a second that were removed beside the drains. */
    Samples removedPerSecond() {
        return new Samples(removedPerSecond);
    }
}
