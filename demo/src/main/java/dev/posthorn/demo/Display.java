package dev.posthorn.demo;

/** Where the run is watched. One thread at a time. */
interface Display extends AutoCloseable {

    /** Says what is about to happen, before there is anything to measure. */
    void note(String line);

    /** Shows how things stand; called five times a second. */
    void show(Frame frame);

    /** Leaves the terminal as it was. */
    @Override
    void close();
}
