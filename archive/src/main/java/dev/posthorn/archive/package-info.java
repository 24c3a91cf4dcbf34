/** Events that leave the log, as compressed files with checksums. */
@NullMarked
package dev.posthorn.archive;

import org.jspecify.annotations.NullMarked;
