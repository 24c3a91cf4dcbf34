/** Personal data: found before it is emitted, and hidden from people who look at events. */
@NullMarked
package dev.posthorn.privacy;

import org.jspecify.annotations.NullMarked;
