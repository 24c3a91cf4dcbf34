/** An inbox in Redis, for effects that are elsewhere: claim, effect, mark. */
@NullMarked
package dev.posthorn.inboxes.redis;

import org.jspecify.annotations.NullMarked;
