/** Delivery, first time, handle in one transaction, verdict, settle. */
@NullMarked
package dev.posthorn.inbox;

import org.jspecify.annotations.NullMarked;
