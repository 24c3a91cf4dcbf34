/** What could not be handled: what it was, why, and what to do about it. */
@NullMarked
package dev.posthorn.deadletter;

import org.jspecify.annotations.NullMarked;
