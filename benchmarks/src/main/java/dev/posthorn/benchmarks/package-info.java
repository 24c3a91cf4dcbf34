/** Measures Posthorn against what it is compared with, in one run. */
@NullMarked
package dev.posthorn.benchmarks;

import org.jspecify.annotations.NullMarked;
