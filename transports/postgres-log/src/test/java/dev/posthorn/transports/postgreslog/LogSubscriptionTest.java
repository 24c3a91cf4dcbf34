package dev.posthorn.transports.postgreslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.postgres.PostgresRoutes;
import dev.posthorn.relay.Route;
import dev.posthorn.relay.RouteFilter;
import dev.posthorn.relay.RouteStart;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.transport.Provision;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Subscription;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;

@Tag("slow")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@Tag("exact")
class LogSubscriptionTest {

    private static final Subscriber BILLING = Subscriber.named("billing").domains("orders");

    private PostgresBroker broker;
    private Scene scene;

    @BeforeAll
    void start() {
        broker = new PostgresBroker();
    }

    @AfterAll
    void stop() {
        broker.close();
    }

    @BeforeEach
    void open() {
        scene = new Scene(broker);
    }

    @AfterEach
    void close() {
        scene.close();
    }

    private PostgresLogTransport bus(PostgresLogConfig config) {
        return scene.bus(broker.pool(), config);
    }

    @Test
    void aLateSubscriberBeginsWithTheOldestEventThatIsKept() {
        List<Event> before = Scene.events(20, 4);
        scene.emit(before);
        Inbound late = new Inbound();

        scene.bus().subscribe(BILLING, late);

        late.await(20);
        assertThat(late.byKey()).isEqualTo(Inbound.byKey(before));
    }

    @Test
    void aSubscriberThatStartsNowDoesNotGetThePast() {
        scene.emit(Scene.events(5, 1));
        Inbound inbound = new Inbound();
        bus(scene.config().withStart(RouteStart.now())).subscribe(BILLING, inbound);
        List<Event> after = Scene.events(5, 1);

        scene.emit(after);

        inbound.await(5);
        assertThat(inbound.events()).isEqualTo(after);
    }

    @Test
    void aSubscriberGoesOnWhereItsLastMemberStopped() {
        PostgresLogTransport bus = scene.bus();
        Inbound first = new Inbound();
        Subscription member = bus.subscribe(BILLING, first);
        scene.emit(Scene.events(10, 2));
        first.await(10);
        member.close();
        List<Event> meanwhile = Scene.events(10, 2);
        scene.emit(meanwhile);
        Inbound second = new Inbound();

        bus.subscribe(BILLING, second);

        second.await(10);
        assertThat(second.byKey()).isEqualTo(Inbound.byKey(meanwhile));
    }

    @Test
    void wakingUpAfterACommitIsFasterThanTheNextLook() {
        PostgresLogTransport bus =
                bus(scene.config().withRelay(scene.config().relay().withIdlePoll(Duration.ofSeconds(20))));
        Inbound inbound = new Inbound();
        bus.subscribe(BILLING, inbound);
        scene.emit(Scene.events(1, 1));
        bus.wakeUp();
        inbound.await(1);
        long quiet = System.nanoTime() + Duration.ofSeconds(5).toNanos();
        Await.until("the member to be idle", () -> System.nanoTime() - quiet > 0);
        scene.emit(Scene.events(1, 1));

        bus.wakeUp();

        Await.within(Duration.ofSeconds(5), () -> "the second event", () -> inbound.count() == 2);
    }

    @Test
    void aRouteThatMayNotBeCreatedIsNamedAndAwaited() {
        Inbound inbound = new Inbound();
        Subscription member =
                bus(scene.config().withProvision(Provision.VERIFY)).subscribe(BILLING, inbound);
        assertThat(member.status().trouble())
                .hasValueSatisfying(trouble ->
                        assertThat(trouble).contains(scene.routeOf(BILLING)).contains("missing"));
        scene.emit(Scene.events(3, 3));

        new PostgresRoutes(broker.own(), scene.schema())
                .create(Route.named(scene.routeOf(BILLING))
                        .withFilter(RouteFilter.ofDomains("orders"))
                        .fromBeginning());

        inbound.await(3);
        Await.until("the trouble to be over", () -> member.status().trouble().isEmpty());
    }

    @Test
    void membersOfASubscriberMustWantTheSame() {
        scene.bus().subscribe(BILLING, new Inbound());

        assertThatThrownBy(() -> scene.bus().subscribe(BILLING.domains("stock"), new Inbound()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining(scene.routeOf(BILLING))
                .hasMessageContaining("filter");
    }

    @Test
    void aRouteTakenAsItStandsGivesOnlyWhatTheSubscriberWants() {
        new PostgresRoutes(broker.own(), scene.schema())
                .create(Route.named(scene.routeOf(BILLING)).fromBeginning());
        Inbound inbound = new Inbound();
        bus(scene.config().withProvision(Provision.OFF)).subscribe(BILLING, inbound);
        Event other = Event.of("stock", "Counted").key("a").build();
        Event wanted = Scene.events(1, 1).get(0);

        scene.emit(List.of(other, wanted));

        inbound.await(1);
        Await.until("both to be passed", () -> scene.isDrained(BILLING));
        assertThat(inbound.events()).containsExactly(wanted);
    }

    @Test
    void aPausedSubscriberGetsNothingAndSaysSo() {
        Inbound inbound = new Inbound();
        Subscription member = scene.bus().subscribe(BILLING, inbound);
        PostgresRoutes routes = new PostgresRoutes(broker.own(), scene.schema());
        routes.pause(scene.routeOf(BILLING), "maintenance");
        Await.until(
                "the member to know",
                () -> member.status()
                        .trouble()
                        .filter(why -> why.contains("paused"))
                        .isPresent());
        scene.emit(Scene.events(3, 3));

        routes.resume(scene.routeOf(BILLING), "done");

        inbound.await(3);
        assertThat(inbound.count()).isEqualTo(3);
    }

    @Test
    void aRetiredRouteCanNotBeSubscribedToAgain() {
        scene.bus().subscribe(BILLING, new Inbound()).close();
        new PostgresRoutes(broker.own(), scene.schema()).retire(scene.routeOf(BILLING), "gone");

        assertThatThrownBy(() -> scene.bus().subscribe(BILLING, new Inbound()))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("retired");
    }

    @Test
    void nothingPrintsThePassword() {
        PGSimpleDataSource wrong = new PGSimpleDataSource();
        wrong.setUrl("jdbc:postgresql://127.0.0.1:1/postgres?user=postgres&password=s3cret&connectTimeout=1");
        LogDatabase database = scene.database(wrong);
        PostgresLogTransport bus = scene.bus(wrong, scene.config());

        Subscription member = bus.subscribe(BILLING, new Inbound());

        assertThat(member.status().trouble()).isPresent();
        assertThat(database + " " + scene.config() + " " + member.status()).doesNotContain("s3cret");
    }
}
