package dev.posthorn.testkit.gherkin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.Inbound;
import dev.posthorn.testkit.TrackedPublication;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import io.cucumber.java.After;
import io.cucumber.java.AfterAll;
import io.cucumber.java.BeforeAll;
import io.cucumber.java.en.Given;
import io.cucumber.java.en.Then;
import io.cucumber.java.en.When;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The sentences of the feature. One instance for each scenario. */
public final class TransportSteps {

    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final byte[] GARBAGE = {(byte) 0xFF, 0, '{', (byte) 0xC3};

    private final Scene scene = new Scene();
    private final CountDownLatch never = new CountDownLatch(1);
    private boolean killed;
    private boolean still;

    @BeforeAll
    public static void startBroker() throws Exception {
        Scene.start();
    }

    @AfterAll
    public static void stopBroker() {
        Scene.stop();
    }

    @After
    public void clear() throws Exception {
        never.countDown();
        if (still) {
            scene.faults().thaw();
        }
        if (killed) {
            scene.faults().start();
        }
        scene.end();
    }

    @Given("a subscriber {string} of the domain {string}")
    public void subscriber(String name, String domain) {
        scene.join(of(name).domains(domain), delivery -> Verdict.done());
    }

    @Given("a subscriber {string} of the domains {string} and {string}")
    public void subscriber(String name, String domain, String other) {
        scene.join(of(name).domains(domain, other), delivery -> Verdict.done());
    }

    @Given("a subscriber {string} of all domains")
    public void subscriberOfAll(String name) {
        scene.join(of(name), delivery -> Verdict.done());
    }

    @Given("a subscriber {string} of the domain {string} that always fails")
    public void failingSubscriber(String name, String domain) {
        scene.join(of(name).domains(domain), delivery -> {
            throw new IllegalStateException("it always fails");
        });
    }

    @Given("a subscriber {string} of the domain {string} that fails at the first attempt")
    public void fragileSubscriber(String name, String domain) {
        scene.join(of(name).domains(domain), delivery -> {
            if (delivery.attempt() == 1) {
                throw new IllegalStateException("it fails at first");
            }
            return Verdict.done();
        });
    }

    @Given("a subscriber {string} of the domain {string} that rejects everything")
    public void rejectingSubscriber(String name, String domain) {
        scene.join(of(name).domains(domain), delivery -> Verdict.reject("it rejects everything"));
    }

    @Given("a subscriber {string} of the domain {string} that never finishes")
    public void stuckSubscriber(String name, String domain) {
        scene.join(of(name).domains(domain).drainTime(Duration.ofMillis(1)), delivery -> {
            try {
                never.await();
            } catch (InterruptedException dying) {
                throw new IllegalStateException("it dies", dying);
            }
            return Verdict.done();
        });
    }

    @Given("another member of {string} elsewhere")
    public void another(String name) {
        scene.join(name + " elsewhere", scene.member(name).subscription().subscriber(), delivery -> Verdict.done());
    }

    @Given("the broker is killed")
    public void kill() {
        scene.faults().kill();
        killed = true;
    }

    @Given("the broker stands still")
    public void freeze() {
        scene.faults().freeze();
        still = true;
    }

    @When("the broker goes on")
    public void thaw() {
        scene.faults().thaw();
        still = false;
    }

    @When("the broker is killed and started again")
    public void restart() {
        kill();
        scene.faults().start();
        killed = false;
    }

    @When("{int} event(s) of the domain {string} is/are published")
    public void publish(int count, String domain) {
        scene.publish(scene.bus(), events(count, domain, count));
    }

    @When("{int} events of the domain {string} with {int} key(s) are published")
    public void publish(int count, String domain, int keys) {
        scene.publish(scene.bus(), events(count, domain, keys));
    }

    @When("{int} events of the domain {string} are published although nobody listens")
    public void publishToNobody(int count, String domain) {
        try (Bus bus = scene.broker().openLenient(scene.prefix())) {
            scene.publish(bus, events(count, domain, count));
        }
    }

    @When("{int} events of the domain {string} with {int} keys are being published")
    public void keepPublishing(int count, String domain, int keys) {
        scene.keepPublishing(events(count, domain, keys));
    }

    @When("an event of the type {string} with the key {string} and the correlation id {string} is published")
    public void publishOne(String type, String key, String correlationId) {
        scene.publish(
                scene.bus(),
                List.of(Event.of("orders", type)
                        .key(key)
                        .correlationId(correlationId)
                        .json("{}")
                        .build()));
    }

    @When("an event with the bytes {string} is published")
    public void publishBytes(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex.replace(" ", ""));
        scene.publish(
                scene.bus(),
                List.of(Event.of("orders", "Placed")
                        .payload(bytes, "application/octet-stream")
                        .build()));
    }

    @When("{int} publishers publish {int} events of the domain {string} each at once")
    public void publishAtOnce(int publishers, int count, String domain) {
        Bus bus = scene.bus();
        IntStream.range(0, publishers)
                .mapToObj(i -> CompletableFuture.runAsync(() -> scene.publish(bus, events(count, domain, 10))))
                .toList()
                .forEach(CompletableFuture::join);
    }

    @When("{string} has begun")
    public void hasBegun(String name) {
        inbound(name).await(1);
    }

    @When("that member dies while another one joins")
    public void diesWhileAnotherJoins() {
        Scene.Member dying = scene.member("billing");
        Subscriber same = of("billing").domains("orders");
        scene.join("the other", same, delivery -> Verdict.done());
        dying.subscription().close();
        dying.bus().close();
    }

    @When("bytes that are no event get among the events of the domain {string}")
    public void inject(String domain) {
        Scene.require(scene.broker().inject(scene.prefix(), domain, GARBAGE), "nothing but events can get there");
    }

    @Then("every event is accepted")
    public void accepted() {
        assertThat(scene.publications())
                .isNotEmpty()
                .allSatisfy(one -> assertThat(one.settlements()).containsExactly(Outcome.accepted()));
    }

    @Then("every event is unavailable")
    public void unavailable() {
        assertThat(scene.publications())
                .isNotEmpty()
                .extracting(TrackedPublication::awaitOutcome)
                .allMatch(Outcome.Unavailable.class::isInstance);
    }

    @Then("{string} receives all of them")
    public void receivesAll(String name) {
        awaitAll(inbound(name));
        assertThat(inbound(name).events()).containsExactlyInAnyOrderElementsOf(scene.published());
    }

    @Then("{string} receives all of them in the order of each key")
    public void receivesAllInOrder(String name) {
        awaitAll(inbound(name));
        assertThat(inbound(name).byKey()).isEqualTo(Inbound.byKey(scene.published()));
    }

    @Then("the other member of {string} receives all of them")
    public void theOtherReceivesAll(String name) {
        awaitAll(inbound("the other"));
    }

    @Then("the members of {string} receive all of them together")
    public void receiveTogether(String name) {
        Inbound here = inbound(name);
        Inbound elsewhere = inbound(name + " elsewhere");
        Await.within(
                PATIENCE,
                () -> here.count() + " and " + elsewhere.count() + " arrived",
                () -> here.count() + elsewhere.count() >= scene.published().size());
        assertThat(Stream.concat(here.events().stream(), elsewhere.events().stream()))
                .containsAll(scene.published());
    }

    @Then("{string} receives {int} events")
    public void receives(String name, int count) {
        inbound(name).await(count);
        assertThat(inbound(name).count()).isEqualTo(count);
    }

    @Then("{string} receives {int} events, all of the domain {string}")
    public void receives(String name, int count, String domain) {
        receives(name, count);
        assertThat(inbound(name).events()).allMatch(event -> event.domain().equals(domain));
    }

    @Then("{string} receives exactly that event")
    public void receivesExactly(String name) {
        inbound(name).await(1);
        assertThat(inbound(name).events()).isEqualTo(scene.published());
    }

    @Then("{string} receives exactly those bytes")
    public void receivesBytes(String name) {
        inbound(name).await(1);
        assertThat(inbound(name).events().get(0).payload())
                .isEqualTo(scene.published().get(0).payload());
    }

    @Then("{string} receives each event twice, in order, as attempts 1 and 2")
    public void receivesTwice(String name) {
        inbound(name).await(2 * scene.published().size());
        List<Event> twice = new ArrayList<>();
        scene.published().forEach(event -> twice.addAll(List.of(event, event)));
        assertThat(inbound(name).events()).isEqualTo(twice);
        assertThat(inbound(name).all().stream().map(Inbound.Got::attempt)).startsWith(1, 2, 1, 2);
    }

    @Then("the status of {string} has counted {int} retries")
    public void counted(String name, int retries) {
        Scene.Member member = scene.member(name);
        Await.until(
                () -> "the retries to be counted: " + member.subscription().status(),
                () -> member.subscription().status().totals().retried() == retries);
    }

    @Then("the dead letters of {string} in the domain {string} are those {int} events")
    public void deadLetters(String name, String domain, int count) {
        Set<ByteBuffer> payloads = new HashSet<>();
        scene.published().forEach(event -> payloads.add(event.payload()));
        awaitDeadLetters(name, domain, payloads);
        assertThat(scene.published()).hasSize(count);
    }

    @Then("the dead letters of {string} in the domain {string} are those bytes")
    public void deadBytes(String name, String domain) {
        awaitDeadLetters(name, domain, Set.of(ByteBuffer.wrap(GARBAGE)));
    }

    private void awaitDeadLetters(String name, String domain, Set<ByteBuffer> expected) {
        Await.until(
                () -> "dead letters " + deadLetters(name, domain),
                () -> deadLetters(name, domain).equals(expected));
    }

    private Set<ByteBuffer> deadLetters(String name, String domain) {
        Set<ByteBuffer> bodies = new HashSet<>();
        scene.broker()
                .deadLetters(scene.prefix(), scene.member(name).subscription().subscriber(), domain)
                .forEach(body -> bodies.add(ByteBuffer.wrap(body)));
        return bodies;
    }

    private void awaitAll(Inbound inbound) {
        Await.within(
                PATIENCE,
                () -> scene.published().size() + " events, so far "
                        + inbound.first().size(),
                () -> inbound.first().size() >= scene.published().size());
    }

    private Inbound inbound(String name) {
        return scene.member(name).inbound();
    }

    private static Subscriber of(String name) {
        return Subscriber.named(name).drainTime(Duration.ofSeconds(2));
    }

    private static List<Event> events(int count, String domain, int keys) {
        return IntStream.range(0, count)
                .mapToObj(i -> Event.of(domain, "Placed")
                        .key("key-" + i % keys)
                        .payload(("number " + i).getBytes(UTF_8), "text/plain")
                        .build())
                .toList();
    }
}
