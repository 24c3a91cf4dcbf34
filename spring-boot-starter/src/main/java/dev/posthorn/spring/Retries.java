package dev.posthorn.spring;

import dev.posthorn.relay.RetryWords;
import dev.posthorn.spring.PosthornProperties.RetryProperties;
import dev.posthorn.transport.RetryPolicy;
import java.util.Optional;

/** Retry policies from properties. */
final class Retries {

    private Retries() {}

    /** The policy, or the standard one where nothing is said; empty with one more fault. */
    static Optional<RetryPolicy> of(RetryProperties retry, RetryPolicy standard, PropertyReader read) {
        if (retry.equals(RetryProperties.standard())) {
            return Optional.of(standard);
        }
        String policy = retry.policy() == null ? RetryWords.LADDER : retry.policy();
        return read.read("retry.policy", () -> RetryPolicy.named(policy))
                .flatMap(known -> read.read(
                        "retry",
                        () -> new RetryWords(
                                        policy,
                                        Optional.ofNullable(retry.maxAttempts()),
                                        retry.pauses(),
                                        Optional.ofNullable(retry.base()),
                                        Optional.ofNullable(retry.max()),
                                        Optional.ofNullable(retry.pause()))
                                .read()));
    }
}
