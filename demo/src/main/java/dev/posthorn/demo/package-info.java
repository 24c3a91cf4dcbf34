/** The main job on an embedded default: money moves, events follow, a verdict ends it. */
@NullMarked
package dev.posthorn.demo;

import org.jspecify.annotations.NullMarked;
