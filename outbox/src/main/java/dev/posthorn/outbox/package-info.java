/** Emitting events in the caller's own transaction, and what became of them. */
@NullMarked
package dev.posthorn.outbox;

import org.jspecify.annotations.NullMarked;
