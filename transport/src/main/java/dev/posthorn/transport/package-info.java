/** The SPI every broker implements: publish with an outcome for each event, and what a transport can do. */
@NullMarked
package dev.posthorn.transport;

import org.jspecify.annotations.NullMarked;
