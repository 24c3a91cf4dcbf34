/** A real Postgres server for the demo, tests and benchmarks, private to the process that starts it. */
@NullMarked
package dev.posthorn.embeddedpostgres;

import org.jspecify.annotations.NullMarked;
