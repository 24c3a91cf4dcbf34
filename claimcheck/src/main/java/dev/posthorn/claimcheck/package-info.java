/** Large payloads are kept in a store of their own, and events carry a reference to them. */
@NullMarked
package dev.posthorn.claimcheck;

import org.jspecify.annotations.NullMarked;
