package dev.posthorn.systemtests;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.testkit.users.PosthornExtension;
import java.sql.Connection;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What the page on testing shows. */
class TestkitSnippetsTest {

    // docs:start:testing-extension
    @RegisterExtension
    final PosthornExtension posthorn = PosthornExtension.create();
    // docs:end:testing-extension

    private static Event placed(String order) {
        return Event.of("shop", "order.placed")
                .key(order)
                .json("{\"total\":4200}")
                .build();
    }

    private Handlers<Connection> billing() {
        return Handlers.<Connection>none()
                .on(
                        "order.placed",
                        "bill",
                        EventHandler.of((event, connection) -> posthorn.outbox()
                                .emit(
                                        connection,
                                        Event.of("billing", "invoice.written")
                                                .key(event.key().orElseThrow())
                                                .json("{}")
                                                .build())));
    }

    @Test
    void whatWasEmittedIsPublishedAndHandled() throws Exception {
        // docs:start:testing-published
        posthorn.consume("billing", billing());
        posthorn.inTransaction(connection -> posthorn.outbox().emit(connection, placed("17")));

        posthorn.runOnce(); // publishes, has it handled, and publishes what that emitted

        posthorn.handledBy("billing").ofKey("17").hasTypes("order.placed");
        posthorn.published().ofKey("17").hasTypes("order.placed", "invoice.written");
        posthorn.published().ofDomain("shop").hasPayloads("{\"total\":4200}");
        // docs:end:testing-published
    }

    @Test
    void whatFailsIsTriedAgainWhenItsTimeHasCome() throws Exception {
        // docs:start:testing-faults
        posthorn.consume("billing", billing());
        posthorn.failPublish(1); // the next one
        posthorn.failHandling(1);
        posthorn.emit(placed("17"));

        posthorn.runOnce();
        posthorn.published().isEmpty(); // and waits a second, by the ladder

        posthorn.clock().advance(Duration.ofSeconds(1));
        posthorn.runOnce();
        posthorn.published().hasTypes("order.placed");
        posthorn.handledBy("billing").isEmpty(); // and waits some 0.2 s

        posthorn.clock().advance(Duration.ofSeconds(1));
        posthorn.runOnce();
        posthorn.handledBy("billing").hasTypes("order.placed");
        // docs:end:testing-faults
    }
}
