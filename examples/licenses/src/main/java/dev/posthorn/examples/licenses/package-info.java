/** Licenses of stores over Google Pub/Sub: what is emitted, which types there are, and the notices that a worker writes. */
@NullMarked
package dev.posthorn.examples.licenses;

import org.jspecify.annotations.NullMarked;
