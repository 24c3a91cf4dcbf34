/** Payloads from values and back, and the envelopes that events travel in, each with the library it takes. */
@NullMarked
package dev.posthorn.codecs;

import org.jspecify.annotations.NullMarked;
