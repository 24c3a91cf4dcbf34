/** What an operator sees: metrics around the ports of relays, figures of the log, and health. Knows no HTTP and no SQL. */
@NullMarked
package dev.posthorn.operations;

import org.jspecify.annotations.NullMarked;
