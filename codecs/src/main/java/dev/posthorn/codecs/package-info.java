/** Payloads from values and back, each with the library it takes. */
@NullMarked
package dev.posthorn.codecs;

import org.jspecify.annotations.NullMarked;
