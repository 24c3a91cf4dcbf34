/** A shop in one Spring Boot application: orders are placed, and billed by a handler of the events. */
@NullMarked
package dev.posthorn.examples.springshop;

import org.jspecify.annotations.NullMarked;
