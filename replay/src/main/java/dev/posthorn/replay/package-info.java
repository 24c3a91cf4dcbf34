/** Publishes again what was published, from the log or from an archive. */
@NullMarked
package dev.posthorn.replay;

import org.jspecify.annotations.NullMarked;
