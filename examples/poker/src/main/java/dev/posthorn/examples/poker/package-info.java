/** Players, tables and hands over any transport: a projector, two sagas, a process manager, and what goes wrong. */
@NullMarked
package dev.posthorn.examples.poker;

import org.jspecify.annotations.NullMarked;
