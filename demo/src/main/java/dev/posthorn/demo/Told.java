package dev.posthorn.demo;

import java.util.List;

/** How a demo ended, as it is told. */
interface Told {

    /** 0 if all is as it should be, else 1. */
    int exitCode();

    String json();

    List<String> lines();
}
