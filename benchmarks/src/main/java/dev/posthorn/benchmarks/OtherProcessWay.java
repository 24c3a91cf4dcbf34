package dev.posthorn.benchmarks;

import dev.posthorn.event.Event;
import java.sql.SQLException;

/** A relay in a process of its own, which nobody wakes up. It begins at the end of the log. */
final class OtherProcessWay implements Way {

    private final BenchContext context;
    private final RelayChild child;

    OtherProcessWay(BenchContext context) throws SQLException {
        this.context = context;
        BenchRoute route = new BenchRoute(context, "other-process");
        route.open(context.pool(), "none");
        route.beginAtEnd();
        this.child = RelayChild.start(context, route, "bench", "");
        try {
            route.awaitFairShares(1);
        } catch (SQLException | RuntimeException failed) {
            child.close();
            throw failed;
        }
    }

    @Override
    public String name() {
        return "relay in another process";
    }

    @Override
    public BenchContext context() {
        return context;
    }

    @Override
    public void tell(Arrivals arrivals) {
        child.tell(arrivals);
    }

    @Override
    public void committed(Event event) {}

    @Override
    public void close() {
        child.close();
    }
}
