package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemberSubscriptionTest {

    private final List<String> told = new ArrayList<>();

    /** Interrupted wherever it would wait. */
    private final class Interrupted implements MemberSubscription.Member {

        @Override
        public void start() throws InterruptedException {
            told.add("start");
            throw new InterruptedException();
        }

        @Override
        public void stop() {
            told.add("stop");
        }

        @Override
        public void end() throws InterruptedException {
            told.add("end");
            throw new InterruptedException();
        }

        @Override
        public Optional<String> trouble() {
            return Optional.of("the broker is away");
        }
    }

    private final Subscriber subscriber = Subscriber.named("test");
    private final MemberSubscription subscription = new MemberSubscription(
            subscriber, new Handout(subscriber, delivery -> delivery.settle(Verdict.done()), 10), new Interrupted());

    @Test
    void theMemberIsClosedOnce() {
        subscription.close();
        subscription.close();

        assertThat(told).containsExactly("stop", "end");
        assertThat(subscription.isClosed()).isTrue();
        assertThat(Thread.interrupted()).as("the caller learns of it").isTrue();
    }

    @Test
    void whoIsInterruptedWhileItBeginsHasASubscriptionAllTheSame() {
        subscription.start();

        assertThat(Thread.interrupted()).as("the caller learns of it").isTrue();
        assertThat(subscription.status().trouble()).contains("the broker is away");
        subscription.close();
        assertThat(Thread.interrupted()).isTrue();
        assertThat(told).containsExactly("start", "stop", "end");
    }
}
