package dev.posthorn.spring;

import dev.posthorn.inbox.ConsumerConfig;

/** A bean that has the last word on a consumer, for what has no property: batches, prefetch, drain time, giving up. */
@FunctionalInterface
public interface ConsumerCustomizer {

    /** The configuration to be used; the consumer's name is that of its subscriber, and stays. */
    ConsumerConfig customize(ConsumerConfig config);
}
