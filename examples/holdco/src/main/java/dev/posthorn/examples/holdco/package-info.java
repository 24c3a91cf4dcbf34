/** A service with a grown topology on RabbitMQ: what it emits, its five queues, its envelope, and what its consumers do. */
@NullMarked
package dev.posthorn.examples.holdco;

import org.jspecify.annotations.NullMarked;
