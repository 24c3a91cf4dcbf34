package dev.posthorn.demo;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/** Where the demo prints. */
record Streams(PrintStream out, PrintStream error, boolean mayBeTerminal) {

    /** Java's own stream replaces what its default charset lacks, whatever the terminal can show. */
    static Streams standard() {
        Charset charset = Terminal.isUnicode() ? StandardCharsets.UTF_8 : StandardCharsets.US_ASCII;
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, charset);
        return new Streams(out, System.err, true);
    }

    /** Asks the system each time: a command is also made when another one runs, and then this must cost nothing. */
    boolean isTerminal() {
        return mayBeTerminal && Terminal.isStandardOutput();
    }
}
