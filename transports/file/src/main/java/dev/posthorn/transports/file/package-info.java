/** Events as JSON lines in a file, one fsynced line each, for scripts and proofs. */
@NullMarked
package dev.posthorn.transports.file;

import org.jspecify.annotations.NullMarked;
