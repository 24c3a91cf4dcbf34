/** Transfers from a service to a payment rail over SNS and SQS: what is emitted, its envelope, its queues, and what each does. */
@NullMarked
package dev.posthorn.examples.transfers;

import org.jspecify.annotations.NullMarked;
