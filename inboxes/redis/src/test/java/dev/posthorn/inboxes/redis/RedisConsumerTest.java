package dev.posthorn.inboxes.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.PatientPublisher;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.memory.MemoryTransport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A consumer with no database at all. */
@Tag("slow")
class RedisConsumerTest extends RedisTests {

    private final List<String> effects = new CopyOnWriteArrayList<>();
    private MemoryTransport bus;
    private PatientPublisher publisher;
    private RedisInbox<Claim> inbox;

    @BeforeEach
    void open() {
        effects.clear();
        bus = closing(MemoryTransport.builder().build());
        publisher = closing(new PatientPublisher(bus.publisher()));
        inbox = inbox();
    }

    @Test
    void whatComesTwiceIsHandledOnceAndAFailedHandlerIsTriedWithoutTheOther() {
        Consumer<Claim> consumer = start(Handlers.<Claim>none()
                .onAll("count", EventHandler.of((event, claim) -> effects.add("count")))
                .onAll("bill", EventHandler.of((event, claim) -> {
                    effects.add("bill");
                    if (effects.stream().filter("bill"::equals).count() < 3) {
                        throw new IllegalStateException("not yet");
                    }
                })));
        Event event = event();

        publish(event);
        Await.until("both are through", () -> consumer.report().totals().handled() == 2);
        publish(event);
        Await.until(
                "both skip it, as one did twice",
                () -> consumer.report().totals().skipped() == 4);

        assertThat(effects).containsExactlyInAnyOrder("count", "bill", "bill", "bill");
        assertThat(admin.get(mark(event.id()) + ":bill")).isEqualTo("done");
        assertThat(admin.get(mark(event.id()) + ":count")).isEqualTo("done");
    }

    @Test
    void whatIsRejectedGoesToTheTransportsDeadLettersAndLeavesNoMark() {
        Consumer<Claim> consumer =
                start(Handlers.<Claim>none().onAll("bill", (event, claim) -> Verdict.reject("no account")));
        Event event = event();

        publish(event);
        Await.until("it is dead", () -> consumer.report().totals().dead() == 1);

        assertThat(admin.exists(mark(event.id()) + ":bill")).isZero();
    }

    @Test
    void aConsumerIsPausedAndResumedAndItsMembersTellHowTheyAre() {
        Consumer<Claim> consumer =
                start(Handlers.<Claim>none().onAll("bill", EventHandler.of((event, claim) -> effects.add("bill"))));
        publish(event());
        String member = prefix + ":evt:member:billing:*";
        Await.until(
                "it tells", () -> admin.keys(member).stream().anyMatch(key -> "1".equals(admin.hget(key, "handled"))));

        assertThat(inbox.consumers().pause("billing")).isTrue();
        assertThat(inbox.consumers().pause("billing")).isFalse();
        Await.until("it is paused", consumer::isPaused);
        assertThat(inbox.consumers().resume("billing")).isTrue();
        Await.until("it goes on", () -> !consumer.isPaused());
        publish(event());
        Await.until("it handles", () -> consumer.report().totals().handled() == 2);

        consumer.close();
        assertThat(admin.keys(member)).isEmpty();
    }

    private Consumer<Claim> start(Handlers<Claim> handlers) {
        ConsumerConfig config = ConsumerConfig.of(Subscriber.named("billing").domains("orders"))
                .retries(RetryPolicy.fixed(5, Duration.ofMillis(10)))
                .reportEvery(Duration.ofMillis(20));
        return closing(Consumer.start(bus, config, handlers, inbox.equipment()));
    }

    private static Event event() {
        return Event.of("orders", "order.placed").key("a").json("{}").build();
    }

    private void publish(Event event) {
        publisher.publish(List.of(event));
        Await.until("it is accepted", () -> publisher.left() == 0);
    }
}
