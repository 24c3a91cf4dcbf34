/** Real brokers for demos, tests and benchmarks: started from what the machine or Maven has, private, always stopped. */
@NullMarked
package dev.posthorn.embeddedbrokers;

import org.jspecify.annotations.NullMarked;
