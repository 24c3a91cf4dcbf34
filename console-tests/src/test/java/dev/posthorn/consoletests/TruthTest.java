package dev.posthorn.consoletests;

import static dev.posthorn.consoletests.Surfaces.Surface.CLI;
import static dev.posthorn.consoletests.Surfaces.Surface.CONSOLE;
import static dev.posthorn.consoletests.Surfaces.Surface.DOCTOR;
import static dev.posthorn.consoletests.Surfaces.Surface.HEALTH;
import static dev.posthorn.consoletests.Surfaces.Surface.HTTP;
import static dev.posthorn.consoletests.Surfaces.Surface.METRICS;
import static dev.posthorn.consoletests.Surfaces.Surface.OBSERVER_HEALTH;
import static dev.posthorn.consoletests.Surfaces.Surface.OBSERVER_READY;
import static dev.posthorn.consoletests.Surfaces.Surface.REPLAYS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.consoletests.Surfaces.Surface;
import dev.posthorn.testkit.Await;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;

/**
 * Drives a system through its states, one after the other. In each of them the command line, HTTP, metrics, health, doctor and the
 * console in a browser must show what the database knows, within seconds: how much waits, is dead, is scheduled and is blocked on
 * each route, and what is wrong in words.
 *
 * <p>A relay process publishes the routes main and slow to RabbitMQ. Another process, the observer, has routes of its own; it is
 * asked for what concerns the whole log. Nobody receives the domains lost and slow: an event of lost is dead after one attempt and
 * holds its key, one of slow blocks its key and is tried again after an hour.
 */
@Tag("slow")
@Tag("exact")
class TruthTest {

    private static final Duration SOON = Duration.ofSeconds(5);

    /** A broker that is silent is known to be so only after a while. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    /** A process connects again after pauses that grow; until then it says that its figures are old, which they are. */
    private static final Duration RECONNECT = Duration.ofSeconds(10);

    /** One state: how the system gets there, within which time that must be told, and what each surface must say then. */
    private record State(String name, Duration within, Act enter, Map<Surface, List<String>> says) {

        State says(Surface surface, String... words) {
            says.put(surface, List.of(words));
            return this;
        }
    }

    private interface Act {
        void on(ObservedSystem system) throws Exception;
    }

    private static State state(String name, Act enter) {
        return state(name, SOON, enter);
    }

    private static State state(String name, Duration within, Act enter) {
        return new State(name, within, enter, new LinkedHashMap<>());
    }

    /** Every state, in order: each begins where the one before ended. */
    private static List<State> states() {
        return List.of(
                state("idle", system -> {})
                        .says(CLI, "route main: 0 waiting", "16 of 16 lanes held", "breaker closed")
                        .says(METRICS, "posthorn_database_up 1")
                        .says(HEALTH, "\"status\":\"ok\"")
                        .says(CONSOLE, "All is well", "Live"),
                state("scheduled events", system -> system.emitLater("shop", "s"))
                        .says(CLI, "route main: 0 waiting", "1 scheduled"),
                state("paused", system -> {
                            system.pause();
                            system.emit("shop", 5);
                        })
                        .says(CLI, "route main: PAUSED", "5 waiting")
                        .says(METRICS, "posthorn_route_paused{route=\"main\"} 1")
                        .says(HEALTH, "\"status\":\"degraded\"", "route main publishes nothing", "paused")
                        .says(OBSERVER_HEALTH, "\"status\":\"ok\"")
                        .says(CONSOLE, "Route main is paused", "5 events waiting"),
                state("backlog", system -> system.emit("shop", 300))
                        .says(CLI, "305 waiting")
                        .says(HTTP, "\"waiting\":305")
                        .says(CONSOLE, "305 events waiting"),
                state("resumed", system -> system.command("routes", "resume", "main", "--reason", "truth"))
                        .says(CLI, "route main: 0 waiting")
                        .says(HEALTH, "\"status\":\"ok\"")
                        .says(CONSOLE, "All is well"),
                state("blocked key", system -> system.emitOfKey("slow", "k", 3))
                        .says(CLI, "route slow: 3 waiting", "1 keys blocked", "key k: blocked")
                        .says(CONSOLE, "1 blocked key on route slow"),
                state("held key and dead letter", system -> system.emitOfKey("lost", "d", 2))
                        .says(CLI, "route main: 1 waiting", "1 keys blocked, 1 dead", "key d: held")
                        .says(METRICS, "posthorn_held_keys{route=\"main\"} 1")
                        .says(DOCTOR, "route main has 1 dead letters")
                        .says(CONSOLE, "1 held key on route main", "1 dead letter on route main"),
                state("consumer dead letter", ObservedSystem::dieInConsumer)
                        .says(METRICS, "dead_letter_count{name=\"billing\",station=\"consumer\"} 1")
                        .says(CONSOLE, "1 dead letter in consumer billing"),
                state("consumer lagging", system -> system.consumerReports("now()", 120_000))
                        .says(METRICS, "event_consumer_lag_seconds{consumer=\"billing\"} 120")
                        .says(CONSOLE, "Consumer billing is 2m behind"),
                state("consumer gone", system -> system.consumerReports("now() - interval '1 hour'", 1))
                        .says(METRICS, "posthorn_consumer_members{consumer=\"billing\"} 0")
                        .says(CONSOLE, "No member of consumer billing is alive"),
                state("replay running", ObservedSystem::startReplay)
                        .says(METRICS, "posthorn_replays_running{kind=\"route\",target=\"main\"} 1")
                        .says(REPLAYS, "\"state\":\"RUNNING\""),
                state("events on no route", system -> system.emit("nowhere", 2))
                        .says(DOCTOR, "no route wants nowhere/happened"),
                state("breaker open, and another process does not notice", system -> {
                            system.broker().stop();
                            system.emit("shop", 4);
                        })
                        .says(CLI, "route main: 5 waiting", "breaker OPEN")
                        .says(METRICS, "posthorn_breaker_open{route=\"main\"} 1")
                        .says(HEALTH, "\"status\":\"degraded\"", "\"ready\":true", "route main publishes nothing")
                        .says(OBSERVER_HEALTH, "\"status\":\"ok\"", "\"ready\":true")
                        .says(CONSOLE, "Route main does not reach its destination", "Breaker open"),
                state("broker back", system -> {
                            system.broker().startAgain();
                            system.awaitDrained();
                        })
                        .says(CLI, "route main: 1 waiting", "breaker closed")
                        .says(HEALTH, "\"status\":\"ok\""),
                state("broker frozen", SILENCE, system -> {
                            system.broker().freeze();
                            system.emit("shop", 4);
                        })
                        .says(METRICS, "posthorn_breaker_open{route=\"main\"} 1")
                        .says(HEALTH, "\"status\":\"degraded\"", "route main publishes nothing"),
                state("broker frozen, as other processes see it", system -> {})
                        .says(CLI, "route main: 5 waiting", "breaker OPEN")
                        .says(OBSERVER_HEALTH, "\"status\":\"ok\"")
                        .says(CONSOLE, "Route main does not reach its destination"),
                state("broker thawed", system -> {
                            system.broker().thaw();
                            system.awaitDrained();
                        })
                        .says(CLI, "route main: 1 waiting", "breaker closed")
                        .says(HEALTH, "\"status\":\"ok\""),
                state("database is read-only, as a standby is", system -> {
                            system.readOnly(true);
                            system.awaitLeasesRunOut();
                        })
                        .says(METRICS, "posthorn_database_up 1")
                        .says(HEALTH, "\"status\":\"degraded\"", "is a standby or was made read-only")
                        .says(CONSOLE, "No relay runs for route main"),
                state("database is the primary again", system -> system.readOnly(false))
                        .says(CLI, "route main: 1 waiting", "16 of 16 lanes held")
                        .says(HEALTH, "\"status\":\"ok\""),
                state("lanes without a relay", ObservedSystem::killRelay)
                        .says(CLI, "0 of 16 lanes held")
                        .says(METRICS, "posthorn_lanes_held{route=\"main\"} 0")
                        .says(DOCTOR, "route main has no live relay; 1 events wait")
                        .says(OBSERVER_READY, "\"status\":\"ok\"")
                        .says(CONSOLE, "No relay runs for route main"),
                state("relay back", ObservedSystem::startRelay).says(CLI, "16 of 16 lanes held"),
                state("retired route", system -> system.command("routes", "retire", "slow", "--reason", "truth"))
                        .says(CLI, "route slow: retired", "0 waiting"),
                state("database frozen", ObservedSystem::freezeDatabase)
                        .says(METRICS, "posthorn_database_up 0")
                        .says(HEALTH, "\"degraded\":true")
                        .says(HTTP, "\"stale\":true", "\"waiting\":1,")
                        .says(CONSOLE, "The database does not answer", "Out of date"),
                state("thawed", ObservedSystem::thawDatabase)
                        .says(METRICS, "posthorn_database_up 1")
                        .says(CONSOLE, "Live"),
                state("database down", ObservedSystem::killDatabase)
                        .says(CLI, "No connection to the database")
                        .says(METRICS, "posthorn_database_up 0")
                        .says(HEALTH, "\"status\":\"unready\"")
                        .says(DOCTOR, "SERIOUS connection")
                        .says(HTTP, "\"stale\":true", "\"waiting\":1,", "\"dead\":2")
                        .says(CONSOLE, "The database does not answer", "Out of date"),
                state("database back", RECONNECT, ObservedSystem::restartDatabase)
                        .says(CLI, "route main: 1 waiting")
                        .says(METRICS, "posthorn_database_up 1")
                        .says(CONSOLE, "Live"),
                state("restored", ObservedSystem::awaitLanes)
                        .says(CLI, "route main: 1 waiting", "16 of 16 lanes held")
                        .says(HEALTH, "\"ready\":true")
                        .says(METRICS, "posthorn_lanes_held{route=\"main\"} 16"));
    }

    /** A test for each state; one that fails leaves the others their turn. */
    @TestFactory
    Stream<DynamicTest> everySurfaceTellsWhatIs() {
        OnStage.requirePrograms();
        ObservedSystem system = new ObservedSystem();
        Surfaces surfaces = new Surfaces(system);
        return Stream.concat(
                        states().stream()
                                .map(state -> DynamicTest.dynamicTest(state.name(), () -> {
                                    state.enter().on(system);
                                    assertTold(state, surfaces);
                                })),
                        Stream.of(DynamicTest.dynamicTest("the page had no error", surfaces::assertNoErrors)))
                .onClose(() -> {
                    surfaces.close();
                    system.close();
                });
    }

    private static void assertTold(State state, Surfaces surfaces) {
        List<String> missing = new CopyOnWriteArrayList<>();
        Duration took = Await.within(state.within(), () -> state.name() + ": " + String.join("\n", missing), () -> {
            missing.clear();
            missing.addAll(surfaces.untrue(state.says()));
            return missing.isEmpty();
        });
        System.out.println("truth: " + state.name() + " after " + took.toMillis() + " ms");
        assertThat(took).isLessThanOrEqualTo(state.within());
    }
}
