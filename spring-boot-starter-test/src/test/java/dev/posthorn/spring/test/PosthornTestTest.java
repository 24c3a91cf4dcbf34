package dev.posthorn.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.spring.SpringOutbox;
import dev.posthorn.testkit.users.PosthornBench;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.context.ApplicationContext;
import org.springframework.transaction.support.TransactionTemplate;

@PosthornTest(properties = {"posthorn.transport=amqp://nobody.invalid", "posthorn.relay.idle-poll=50ms"})
class PosthornTestTest {

    @Autowired
    PosthornBench posthorn;

    @Autowired
    SpringOutbox outbox;

    @Autowired
    TransactionTemplate transaction;

    private void place(String id) {
        transaction.executeWithoutResult(status -> outbox.emit(Event.of("shop", "order.placed")
                .key(id)
                .json("{\"id\":\"" + id + "\"}")
                .build()));
    }

    @Test
    void handlersAreFoundAndBrokersAreNotNeeded() {
        // When
        place("1");

        // Then
        posthorn.settle();
        posthorn.handledBy("shipping").ofKey("1").hasTypes("order.placed");
        posthorn.published().hasTypes("order.placed", "order.shipped");
    }

    @Test
    void aHandlerFailsWhenTheTestWantsItAndIsTriedAgainWhenItsTimeHasCome() {
        posthorn.failHandling(1);
        place("2");
        posthorn.settle();
        posthorn.published().hasTypes("order.placed");

        // When
        posthorn.clock().advance(Duration.ofSeconds(1));

        // Then
        posthorn.settle();
        posthorn.published().hasTypes("order.placed", "order.shipped");
    }

    @Test
    void otherComponentsAreNotFound(@Autowired ApplicationContext context) {
        assertThat(context.getBeanProvider(Elsewhere.class).getIfAvailable()).isNull();
    }
}
