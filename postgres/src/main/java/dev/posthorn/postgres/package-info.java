/** Every SQL statement and migration of Posthorn, and the stores that run them. */
@NullMarked
package dev.posthorn.postgres;

import org.jspecify.annotations.NullMarked;
