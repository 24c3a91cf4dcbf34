package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.postgres.PostgresInspection;
import dev.posthorn.postgres.PostgresInspection.BlockedKey;
import dev.posthorn.postgres.PostgresInspection.LaneStatus;
import dev.posthorn.postgres.PostgresInspection.LiveRelay;
import dev.posthorn.postgres.PostgresInspection.OffWay;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.postgres.PostgresRoutes.RouteStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

@Command(
        name = "status",
        description =
                "Shows the routes: who holds their lanes, how much waits, which keys are blocked, how much is dead.")
final class StatusCommand implements Callable<Integer> {

    private static final Duration ANSWER = Duration.ofSeconds(30);
    private static final int MOST_KEYS = 20;

    /** Everything the command tells, of about one moment. */
    record Findings(
            List<OffWay> routes,
            List<LaneStatus> lanes,
            List<LiveRelay> relays,
            List<BlockedKey> blocked,
            List<RouteStatus> settings) {

        /** When it was paused or retired. */
        Optional<RouteStatus> settingsOf(String route) {
            return settings.stream().filter(one -> one.name().equals(route)).findFirst();
        }

        List<LaneStatus> lanesOf(String route) {
            return lanes.stream().filter(lane -> lane.route().equals(route)).toList();
        }

        List<LiveRelay> relaysOf(String route) {
            return relays.stream().filter(relay -> relay.route().equals(route)).toList();
        }

        List<BlockedKey> blockedOf(String route) {
            return blocked.stream().filter(key -> key.route().equals(route)).toList();
        }

        long waiting(String route) {
            return lanesOf(route).stream().mapToLong(LaneStatus::waiting).sum();
        }

        boolean isCounted(String route) {
            return lanesOf(route).stream().allMatch(lane -> lane.waiting() < PostgresInspection.MOST_COUNTED);
        }

        Optional<Instant> waitingSince(String route) {
            return lanesOf(route).stream()
                    .flatMap(lane -> lane.waitingSince().stream())
                    .min(Instant::compareTo);
        }

        long held(String route) {
            return lanesOf(route).stream()
                    .filter(lane -> lane.owner().isPresent())
                    .count();
        }
    }

    @Mixin
    private Database database = new Database();

    @Mixin
    private Output output = new Output();

    @Override
    public Integer call() {
        try (HikariDataSource source = database.connect(ANSWER)) {
            PostgresInspection inspection = new PostgresInspection(source, database.schema());
            Findings found = new Findings(
                    inspection.offWay(),
                    inspection.lanes(),
                    inspection.relays(),
                    inspection.blockedKeys(MOST_KEYS),
                    new PostgresRoutes(source, database.schema()).list());
            output.print(() -> StatusFormat.json(found), () -> StatusFormat.text(found, Instant.now()));
            return 0;
        }
    }
}
