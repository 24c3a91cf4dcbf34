/** One trace from emit over publish to every handler, by OpenTelemetry and its conventions for messaging. */
@NullMarked
package dev.posthorn.tracing;

import org.jspecify.annotations.NullMarked;
