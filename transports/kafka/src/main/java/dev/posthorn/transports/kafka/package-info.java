/** Carries events over Apache Kafka: a topic for each domain, a consumer group for each subscriber, ordered by key. */
@NullMarked
package dev.posthorn.transports.kafka;

import org.jspecify.annotations.NullMarked;
