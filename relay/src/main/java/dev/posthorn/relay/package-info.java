/** From the log to a transport: read, one gate per key, publish, checkpoint. */
@NullMarked
package dev.posthorn.relay;

import org.jspecify.annotations.NullMarked;
