/** Commands that run once, their workflow runs step by step, and idempotency keys of HTTP. */
@NullMarked
package dev.posthorn.commands;

import org.jspecify.annotations.NullMarked;
