/** Keeps large payloads as objects in a bucket of Amazon S3, or of whatever speaks as it does. */
@NullMarked
package dev.posthorn.payloadstores.s3;

import org.jspecify.annotations.NullMarked;
