package dev.posthorn.relay;

import dev.posthorn.transport.FailureLog;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;

/**
 * Takes answers in and sends what became possible by them. Every publication is counted exactly once as answered, whatever is
 * thrown on the way.
 */
final class Sender {

    private static final String RUN = "asking for the longest run";
    private static final String PUBLISH = "publish";

    private final RelayState state;
    private final Answers answers;
    private final Publisher publisher;
    private final FailureLog failures;

    Sender(RelayState state, Answers answers, Publisher publisher, FailureLog failures) {
        this.state = state;
        this.answers = answers;
        this.publisher = publisher;
        this.failures = failures;
    }

    int settleAnswers() {
        List<Answers.Answer> arrived = answers.take();
        sendAfter(arrived, now -> {
            arrived.forEach(answer -> state.settle(answer.sent(), answer.outcome(), now));
            queue().runTimers(now);
            queue().expire(now);
            if (state.shop().isOn(Safeguard.SILENCE_OPENS_THE_BREAKER)) {
                queue().listen(now);
            }
        });
        return arrived.size();
    }

    void send() {
        sendAfter(List.of(), now -> {});
    }

    private void sendAfter(List<Answers.Answer> arrived, LongConsumer work) {
        List<Sent> sending = new ArrayList<>();
        try {
            int longestRun = longestRun();
            state.locked(() -> {
                long now = state.shop().now();
                work.accept(now);
                queue().take(now, longestRun, sending);
            });
        } catch (Throwable broken) {
            if (state.shop().isOn(Safeguard.LOST_ANSWERS_ARE_COUNTED)) {
                state.locked(() -> lost(arrived, sending));
            }
            throw broken;
        }
        publish(sending);
    }

    /** Lanes are thrown away by now. What remains of these publications is that they are not in flight, and are no probe. */
    private void lost(List<Answers.Answer> arrived, List<Sent> sending) {
        arrived.forEach(answer -> lost(answer.sent()));
        sending.forEach(this::lost);
    }

    private void lost(Sent sent) {
        sent.set(true);
        sent.item = state.nobody;
        queue().landed(sent);
    }

    private SendQueue queue() {
        return state.shop().sendQueue();
    }

    private int longestRun() {
        try {
            int longest = publisher.longestRun();
            failures.recovered(RUN);
            return longest;
        } catch (Throwable broken) { // until it says how many events it takes in a row, it gets one
            failures.failed(RUN, broken);
            return 1;
        }
    }

    private void publish(List<Sent> sending) {
        if (sending.isEmpty()) {
            return;
        }
        try {
            publisher.publish(sending);
            failures.recovered(PUBLISH);
        } catch (Throwable broken) {
            Outcome unknown = Outcome.unknown(Thrown.describe(broken));
            sending.forEach(sent -> sent.settle(unknown));
            failures.failed(PUBLISH, broken);
        }
    }
}
