package dev.posthorn.server;

import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.archive.FolderArchive;
import dev.posthorn.console.Console;
import dev.posthorn.console.ConsoleSetup;
import dev.posthorn.console.GeneratedToken;
import dev.posthorn.console.HttpDesk;
import dev.posthorn.console.Retention;
import dev.posthorn.console.Secrets;
import dev.posthorn.operations.Board;
import dev.posthorn.operations.FigureStep;
import dev.posthorn.operations.Health;
import dev.posthorn.operations.PruneMetrics;
import dev.posthorn.operations.RelayMetrics;
import dev.posthorn.operations.TenantMetrics;
import dev.posthorn.postgres.PostgresFigures;
import dev.posthorn.postgres.Schema;
import dev.posthorn.postgres.SchemaWatch;
import dev.posthorn.relay.Loop;
import dev.posthorn.relay.MemoryBudget;
import dev.posthorn.relay.Relay;
import dev.posthorn.transport.Publisher;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Metrics and health of a relay process, from its plan: nothing is measured if nothing is answered. */
final class Telemetry implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Telemetry.class);
    private static final Duration LONGEST_TURN = Duration.ofSeconds(60);
    private static final Duration LONGEST_LOOK = Duration.ofSeconds(30);

    private final RelayPlan plan;
    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private final Clock clock = Clock.systemUTC();
    private final Health health;
    private final GeneratedToken generated = new GeneratedToken();
    private final Board board;
    private final Console console;
    private final List<AutoCloseable> open = new ArrayList<>();

    Telemetry(RelayPlan plan) {
        this.plan = plan;
        RelayPlan.HealthLimits limits = plan.http().limits();
        this.health = new Health(
                clock,
                new Health.Limits(
                        LONGEST_TURN,
                        LONGEST_LOOK.plus(plan.http().figuresEvery().multipliedBy(2)),
                        limits.standstill(),
                        limits.consumerLag()));
        RelayMetrics.watch(registry, MemoryBudget.ofProcess());
        this.board = new Board(registry, clock);
        Retention retention = plan.pruning().retention();
        this.console = new Console(new ConsoleSetup(
                plan.http().access().tokensOr(generated),
                health::report,
                registry::scrape,
                new ConsoleSetup.ProcessFacts(
                        Version.number(),
                        plan.http().told().config(),
                        retention,
                        Optional.ofNullable(retention.archive()).map(FolderArchive::new),
                        plan.http().told().registry().map(RegistryCommand::json),
                        plan.http().told().disclosure(),
                        new PlanDoctor(plan)::tell)));
    }

    RelayMetrics of(String route) {
        return new RelayMetrics(registry, route, clock);
    }

    /** With metrics by tenant if some were named. */
    Publisher tenants(String route, Publisher publisher) {
        return plan.http().tenants().isEmpty()
                ? publisher
                : new TenantMetrics(registry, route, plan.http().tenants(), clock).around(publisher);
    }

    /** Told in health; they make the process neither unready nor degraded. */
    void warn(Supplier<List<String>> warnings) {
        health.warn(warnings);
    }

    PruneMetrics pruning() {
        return new PruneMetrics(registry, clock);
    }

    boolean isOn() {
        return plan.http().address().isPresent();
    }

    void watch(String route, RelayMetrics metrics, Relay relay) {
        metrics.watch(relay);
        health.watch(route, relay::status, relay::overdue, metrics.pulse());
    }

    /** Begins to answer, and says where. Fails if the address is taken. */
    void answer() {
        plan.http().address().ifPresent(where -> {
            HttpDesk desk = HttpDesk.open(where, console);
            open.add(console);
            open.add(desk);
            LOG.info("Health and metrics at http://{}:{}/v1", where.getHostString(), desk.port());
            String page = "http://" + where.getHostString() + ":" + desk.port() + "/";
            LOG.info("Console at {}", plan.http().access().isConfigured() ? page : generated.link(page));
            if (!plan.http().access().isConfigured()) {
                generated.keep(desk.port());
                open.add(generated);
            }
        });
    }

    /** Begins to look at the database. */
    void look(DataSource database, SchemaWatch schemaWatch) {
        if (isOn()) {
            Schema schema = plan.database().schema();
            health.warn(schemaWatch::notes);
            FigureStep step = new FigureStep(
                    new PostgresFigures(database, schema), schemaWatch::trouble, board, health, Secrets::mask);
            open.add(new Loop("posthorn-figures", () -> {
                        step.runOnce();
                        return plan.http().figuresEvery();
                    })
                    .start());
            Database ofConsole = plan.http().database();
            HikariDataSource connections = (ofConsole == null ? plan.database() : ofConsole).desk(plan.name());
            open.add(connections);
            console.open(connections, schema);
        }
    }

    @Override
    public void close() {
        for (AutoCloseable one : open) {
            try {
                one.close();
            } catch (Exception atTheEnd) {
                LOG.debug("Not closed in order", atTheEnd);
            }
        }
    }
}
