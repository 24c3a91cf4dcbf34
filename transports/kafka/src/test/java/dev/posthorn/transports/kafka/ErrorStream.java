package dev.posthorn.transports.kafka;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;

/** All that is logged while a test runs, Kafka's own client included. */
final class ErrorStream implements AutoCloseable {

    private final PrintStream before = System.err;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    ErrorStream() {
        System.setErr(new PrintStream(bytes, true, UTF_8));
    }

    String text() {
        return bytes.toString(UTF_8);
    }

    @Override
    public void close() {
        System.setErr(before);
        System.err.print(text());
    }
}
