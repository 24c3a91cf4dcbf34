/** What travels: the event and its values. Knows no I/O. */
@NullMarked
package dev.posthorn.event;

import org.jspecify.annotations.NullMarked;
