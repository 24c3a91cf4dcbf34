/** The process, the command line and the wiring. */
@NullMarked
package dev.posthorn.server;

import org.jspecify.annotations.NullMarked;
