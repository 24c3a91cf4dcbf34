package dev.posthorn.spring.test;

import org.springframework.boot.test.autoconfigure.TestSliceTestContextBootstrapper;

/** Reads the properties of the annotation. */
final class PosthornTestBootstrapper extends TestSliceTestContextBootstrapper<PosthornTest> {}
