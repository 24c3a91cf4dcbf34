/** Which events there are, and what each must look like; checked when it is emitted and when it is published. */
@NullMarked
package dev.posthorn.registry;

import org.jspecify.annotations.NullMarked;
