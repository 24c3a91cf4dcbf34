/** The admin API and the page: what an operator sees and does over HTTP, and how it is told anywhere else. */
@NullMarked
package dev.posthorn.console;

import org.jspecify.annotations.NullMarked;
