/** Events through topics of Google Cloud Pub/Sub. */
@NullMarked
package dev.posthorn.transports.googlepubsub;

import org.jspecify.annotations.NullMarked;
