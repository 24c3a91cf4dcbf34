package dev.posthorn.testkit.users;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class PosthornExtensionTest {

    @RegisterExtension
    final PosthornExtension posthorn = PosthornExtension.create();

    private static Event placed(String key) {
        return Event.of("shop", "order.placed").key(key).json("{}").build();
    }

    private Handlers<Connection> shipping() {
        return Handlers.<Connection>none()
                .on(
                        "order.placed",
                        "ship",
                        EventHandler.of((event, connection) -> posthorn.outbox()
                                .emit(
                                        connection,
                                        Event.of("shipping", "order.shipped")
                                                .key(event.key().orElseThrow())
                                                .json("{}")
                                                .build())));
    }

    @Test
    void nothingIsPublishedBeforeTheTestSaysSo() throws Exception {
        posthorn.emit(placed("1"));

        posthorn.published().isEmpty();
        posthorn.runOnce();
        posthorn.published().ofDomain("shop").hasTypes("order.placed").hasPayloads("{}");
    }

    @Test
    void whatFollowsFromAnEventIsPublishedToo() throws Exception {
        posthorn.consume("shipping", shipping());
        posthorn.emit(placed("1"), placed("2"));

        // When
        posthorn.runOnce();

        // Then
        posthorn.handledBy("shipping").ofType("order.placed").hasSize(2).hasNoRepeats();
        posthorn.published().ofKey("2").hasTypes("order.placed", "order.shipped");
    }

    @Test
    void aPublishThatFailsIsTriedAgainWhenItsTimeHasCome() throws Exception {
        posthorn.failPublish(1);
        posthorn.emit(placed("1"));
        posthorn.runOnce();
        posthorn.published().isEmpty();
        posthorn.clock().advance(Duration.ofMillis(200));
        posthorn.runOnce();
        posthorn.published().isEmpty();

        // When
        posthorn.clock().advance(Duration.ofSeconds(1));

        // Then
        posthorn.runOnce();
        posthorn.published().hasSize(1);
    }

    @Test
    void aHandlingThatFailsIsTriedAgainWhenItsTimeHasCome() throws Exception {
        posthorn.consume("shipping", shipping());
        posthorn.failHandling(1);
        posthorn.emit(placed("1"));
        posthorn.runOnce();
        posthorn.handledBy("shipping").isEmpty();

        // When
        posthorn.clock().advance(Duration.ofSeconds(1));

        // Then
        posthorn.runOnce();
        posthorn.handledBy("shipping").ofType("order.placed").hasSize(1);
        posthorn.published().ofType("order.shipped").hasSize(1);
    }

    @Test
    void anEventWithATimeOfItsOwnWaitsForTheClock() throws Exception {
        posthorn.clock().advance(Duration.ofHours(2));
        posthorn.emit(Event.of("shop", "order.reminded")
                .json("{}")
                .deliverAfter(posthorn.clock().instant().plus(Duration.ofHours(1)))
                .build());
        posthorn.runOnce();
        posthorn.clock().advance(Duration.ofMinutes(59));
        posthorn.runOnce();
        posthorn.published().isEmpty();

        // When
        posthorn.clock().advance(Duration.ofMinutes(2));

        // Then
        posthorn.runOnce();
        posthorn.published().hasTypes("order.reminded");
    }

    @Test
    void anAssertionThatDoesNotHoldSaysWhatItLookedAt() throws Exception {
        posthorn.emit(placed("1"));
        posthorn.runOnce();

        assertThatThrownBy(() -> posthorn.published().ofKey("2").hasTypes("order.placed"))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("published events of key 2");
    }
}
