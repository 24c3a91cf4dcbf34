/** The contract of transports as a feature in plain words, and the steps that run it on a real broker. */
@NullMarked
package dev.posthorn.testkit.gherkin;

import org.jspecify.annotations.NullMarked;
