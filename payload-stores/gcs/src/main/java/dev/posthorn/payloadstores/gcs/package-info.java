/** Keeps large payloads as objects in a bucket of Google Cloud Storage. */
@NullMarked
package dev.posthorn.payloadstores.gcs;

import org.jspecify.annotations.NullMarked;
