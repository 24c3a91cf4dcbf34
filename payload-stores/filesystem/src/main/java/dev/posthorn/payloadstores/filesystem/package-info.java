/** Keeps large payloads as files in a folder. */
@NullMarked
package dev.posthorn.payloadstores.filesystem;

import org.jspecify.annotations.NullMarked;
