package dev.posthorn.spring;

import dev.posthorn.relay.RetryWords;
import dev.posthorn.spring.PosthornProperties.RetryProperties;
import dev.posthorn.transport.RetryPolicy;
import java.util.Optional;

/** Retry policies from properties. */
final class Retries {

    private Retries() {}

    /** The policy, or the standard one where nothing is said. */
    static RetryPolicy of(RetryProperties retry, RetryPolicy standard) {
        if (retry.equals(RetryProperties.standard())) {
            return standard;
        }
        return new RetryWords(
                        retry.policy() == null ? RetryWords.LADDER : retry.policy(),
                        Optional.ofNullable(retry.maxAttempts()),
                        retry.pauses(),
                        Optional.ofNullable(retry.base()),
                        Optional.ofNullable(retry.max()),
                        Optional.ofNullable(retry.pause()))
                .read();
    }
}
