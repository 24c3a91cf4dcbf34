/** Carries events over RabbitMQ: a topic exchange, confirmed publishing, and queues that keep the order of each key. */
@NullMarked
package dev.posthorn.transports.rabbitmq;

import org.jspecify.annotations.NullMarked;
