/** Events over Amazon SNS and SQS, FIFO: one topic, a queue for each subscriber, and the order of each key. */
@NullMarked
package dev.posthorn.transports.snssqs;

import org.jspecify.annotations.NullMarked;
