package dev.posthorn.spring;

import dev.posthorn.operations.Health.Report;
import dev.posthorn.operations.Health.RouteHealth;
import dev.posthorn.relay.RelayStatus;
import java.util.LinkedHashMap;
import java.util.Map;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Down if only a restart helps, out of service if the database or a lane stands still, degraded if something outside is not
 * there. Degraded leaves the application up: relays go on by themselves, and a restart would mend nothing.
 */
final class PosthornHealthIndicator implements HealthIndicator {

    static final Status DEGRADED = new Status("DEGRADED", "Posthorn goes on by itself when what is missing is back");

    /** The same status, with what is true of it. */
    private static final Status PAUSED = new Status(
            DEGRADED.getCode(), "A route is paused and publishes nothing until someone resumes it; see the findings");

    private final Lookout lookout;

    PosthornHealthIndicator(Lookout lookout) {
        this.lookout = lookout;
    }

    @Override
    public Health health() {
        Report report = lookout.report();
        Health.Builder answer = new Health.Builder(statusOf(report));
        if (!report.findings().isEmpty()) {
            answer.withDetail("findings", report.findings());
        }
        Map<String, Object> routes = new LinkedHashMap<>();
        report.routes().forEach(route -> {
            Map<String, Object> told = new LinkedHashMap<>();
            told.put("connected", route.isConnected());
            told.put("paused", isPaused(route));
            told.put("lanes", route.status().lanes().size());
            told.put("published", route.status().totals().published());
            route.pulse().lastPublish().ifPresent(at -> told.put("lastPublish", at.toString()));
            routes.put(route.route(), told);
        });
        return answer.withDetail("routes", routes).build();
    }

    private static Status statusOf(Report report) {
        if (!report.live()) {
            return Status.DOWN;
        }
        if (!report.ready()) {
            return Status.OUT_OF_SERVICE;
        }
        if (!report.degraded()) {
            return Status.UP;
        }
        boolean paused = report.routes().stream().anyMatch(PosthornHealthIndicator::isPaused);
        return paused ? PAUSED : DEGRADED;
    }

    private static boolean isPaused(RouteHealth route) {
        return route.status().obstacle() == RelayStatus.Obstacle.PAUSE;
    }
}
