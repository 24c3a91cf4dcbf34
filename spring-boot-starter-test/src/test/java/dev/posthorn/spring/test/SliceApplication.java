package dev.posthorn.spring.test;

import org.springframework.boot.autoconfigure.SpringBootApplication;

/** An application with a handler, and a component that a slice must not find. */
@SpringBootApplication
class SliceApplication {}
