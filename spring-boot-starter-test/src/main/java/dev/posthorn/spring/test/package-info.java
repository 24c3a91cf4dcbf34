/** Tests of Spring Boot applications with Posthorn: an embedded Postgres, a transport that is watched, and time that stands still. */
@NullMarked
package dev.posthorn.spring.test;

import org.jspecify.annotations.NullMarked;
