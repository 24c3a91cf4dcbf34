/** The in-process channel: every subscriber gets every event, by reference, through a bounded queue of its own. */
@NullMarked
package dev.posthorn.transports.memory;

import org.jspecify.annotations.NullMarked;
