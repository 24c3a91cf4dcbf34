/** Posthorn in a Spring Boot application: configured by properties, in Spring's transactions, started and stopped with it. */
@NullMarked
package dev.posthorn.spring;

import org.jspecify.annotations.NullMarked;
