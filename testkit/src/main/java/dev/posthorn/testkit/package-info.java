/** What a transport is tested with: the contract every one passes, and a fake that records what it is given. */
@NullMarked
package dev.posthorn.testkit;

import org.jspecify.annotations.NullMarked;
