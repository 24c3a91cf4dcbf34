package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class SettlingCallsTest {

    private final List<String> told = new ArrayList<>();
    private final SettlingCalls calls = new SettlingCalls(() -> told.add("wake"));

    private void send(CompletableFuture<String> answer) {
        calls.send(
                () -> answer,
                () -> told.add("success, answered: " + calls.isAllAnswered()),
                failure -> told.add("failure, answered: " + calls.isAllAnswered()));
    }

    @Test
    void aCallIsUnderwayUntilItsAnswerWasUsed() {
        CompletableFuture<String> answer = new CompletableFuture<>();
        send(answer);
        assertThat(calls.isAllAnswered()).isFalse();

        answer.complete("");

        assertThat(told).containsExactly("success, answered: false", "wake");
        assertThat(calls.isAllAnswered()).isTrue();
    }

    @Test
    void aCallThatCanNotBeginHasFailed() {
        calls.send(
                () -> {
                    throw new IllegalStateException("gone");
                },
                () -> told.add("success"),
                failure -> told.add(String.valueOf(failure.getMessage())));

        assertThat(told).containsExactly("gone", "wake");
        assertThat(calls.isAllAnswered()).isTrue();
    }

    @Test
    void aFailureBeginsAPauseAndIsTroubleUntilASuccess() {
        assertThat(calls.isPaused()).isFalse();

        calls.failed("no answer");

        assertThat(calls.isPaused()).isTrue();
        assertThat(calls.trouble()).isEqualTo("what was handled can not be settled: no answer");
        send(CompletableFuture.completedFuture(""));
        assertThat(calls.trouble()).isNull();
    }
}
