/** Carries events through streams of Redis: sharded by key, each shard with one member of a subscriber at a time. */
@NullMarked
package dev.posthorn.transports.redisstreams;

import org.jspecify.annotations.NullMarked;
