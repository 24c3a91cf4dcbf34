/** Assets, rewards and reputation over Redis Streams: what is emitted, who handles it, and the workflow that a command starts. */
@NullMarked
package dev.posthorn.examples.openpaw;

import org.jspecify.annotations.NullMarked;
