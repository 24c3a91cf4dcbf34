package dev.posthorn.testkit.users;

import dev.posthorn.event.Event;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RunningRelayTest {

    @RegisterExtension
    final PosthornExtension posthorn = PosthornExtension.create().running();

    @Test
    void aRelayBesideTheTestFollowsItsClock() throws Exception {
        posthorn.failPublish(1);
        posthorn.emit(Event.of("shop", "order.placed").key("1").json("{}").build());
        posthorn.settle();
        posthorn.published().isEmpty();

        // When
        posthorn.clock().advance(Duration.ofSeconds(2));

        // Then
        posthorn.settle();
        posthorn.published().hasTypes("order.placed");
    }
}
