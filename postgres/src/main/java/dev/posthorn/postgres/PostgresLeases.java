package dev.posthorn.postgres;

import dev.posthorn.relay.LeaseStore;
import dev.posthorn.relay.RelayStatus;
import dev.posthorn.relay.RouteMode;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Leases of one route's lanes, in Postgres, by its clock. Thread-safe. */
final class PostgresLeases implements LeaseStore {

    private static final String RELAY = "relay name";

    private final Connections connections;
    private final short route;
    private final String renew;
    private final String live;
    private final String acquire;
    private final String release;
    private final String leave;

    PostgresLeases(Connections connections, Schema schema, short route) {
        this.connections = connections;
        this.route = route;
        this.renew = Sql.load("lease_renew", schema);
        this.live = Sql.load("lease_live", schema);
        this.acquire = Sql.load("lease_acquire", schema);
        this.release = Sql.load("lease_release", schema);
        this.leave = Sql.load("relay_leave", schema);
    }

    @Override
    public Renewal renew(String relay, Collection<Lease> held, Duration ttl, Report report) {
        return connections.change(
                "renew leases",
                renew,
                bind -> bind.value(route)
                        .name(RELAY, relay)
                        .value(report.published())
                        .text("obstacle", obstacle(report))
                        .remark(report.outage())
                        .value(route)
                        .name(RELAY, relay)
                        .value(ttl.toMillis())
                        .column("int2", held, Lease::lane)
                        .column("int8", held, Lease::epoch)
                        .value(route)
                        .name(RELAY, relay)
                        .value(route)
                        .name(RELAY, relay)
                        .value(ttl.toMillis()),
                this::renewal);
    }

    private static @Nullable String obstacle(Report report) {
        return Optional.of(report.obstacle())
                .filter(obstacle -> obstacle != RelayStatus.Obstacle.NONE)
                .map(RelayStatus.Obstacle::name)
                .orElse(null);
    }

    private Renewal renewal(ResultSet rows) throws SQLException {
        List<Lease> kept = new ArrayList<>();
        Crew crew = Crew.ALONE;
        int lanes = 0;
        RouteMode mode = RouteMode.OPEN;
        while (rows.next()) {
            int lane = rows.getInt(1);
            if (lane < 0) {
                crew = new Crew(1 + rows.getInt(2), rows.getInt(5));
                lanes = rows.getInt(3);
                connections.ofPrimary(rows.getString(4));
                mode = RouteMode.valueOf(rows.getString(6));
            } else {
                kept.add(new Lease(lane, rows.getLong(2)));
            }
        }
        return new Renewal(kept, crew, lanes, mode);
    }

    @Override
    public Crew crew(String relay, Duration ttl) {
        return connections.change(
                "count relays",
                live,
                bind -> bind.value(route).name(RELAY, relay).value(ttl.toMillis()),
                rows -> {
                    rows.next();
                    return new Crew(rows.getInt(1), rows.getInt(2));
                });
    }

    @Override
    public List<Lease> acquire(String relay, int most, Duration ttl) {
        return connections.change(
                "take lanes",
                acquire,
                bind -> bind.name(RELAY, relay)
                        .value(ttl.toMillis())
                        .value(route)
                        .value(most)
                        .value(route),
                rows -> {
                    List<Lease> taken = new ArrayList<>();
                    while (rows.next()) {
                        taken.add(new Lease(rows.getInt(1), rows.getLong(2)));
                    }
                    return taken;
                });
    }

    @Override
    public void release(String relay, Collection<Lease> leases) {
        connections.update(
                "release lanes",
                release,
                bind -> bind.column("int2", leases, Lease::lane)
                        .column("int8", leases, Lease::epoch)
                        .value(route)
                        .name(RELAY, relay));
    }

    @Override
    public void leave(String relay) {
        connections.update("sign off", leave, bind -> bind.value(route).name(RELAY, relay));
    }
}
