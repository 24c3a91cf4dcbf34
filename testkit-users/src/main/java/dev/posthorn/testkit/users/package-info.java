/** For tests of applications: a database, a transport that is watched and can be made to fail, and time that stands still. */
@NullMarked
package dev.posthorn.testkit.users;

import org.jspecify.annotations.NullMarked;
