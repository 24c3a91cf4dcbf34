package dev.posthorn.demo;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A screen that is redrawn in place, on the terminal's second page so that the first one stays as it was.
 *
 * <p>Each frame is one write that overwrites the last one line by line, so nothing flickers. What other code writes to
 * standard error meanwhile is kept and shown afterwards.
 */
final class LiveScreen implements Display {

    private static final String OPEN = "\033[?1049h\033[?25l\033[2J";
    private static final String CLOSE = "\033[?25h\033[?1049l";
    private static final String BEGIN = "\033[?2026h\033[H";
    private static final String END = "\033[J\033[?2026l";
    private static final String END_OF_LINE = "\033[K";
    private static final long LOOK_AT_SIZE_EVERY = TimeUnit.SECONDS.toNanos(2);

    private final PrintStream out;
    private final FrameText text;
    private final PrintStream error = System.err;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream();
    private final List<String> notes = new ArrayList<>();
    private Terminal.Size size = Terminal.USUAL;
    private long sizedAt = System.nanoTime() - LOOK_AT_SIZE_EVERY;
    private @Nullable Frame last;
    private boolean closed;

    LiveScreen(PrintStream out, boolean unicode) {
        this.out = out;
        this.text = new FrameText(unicode);
        System.setErr(new PrintStream(kept, true, StandardCharsets.UTF_8));
        print(OPEN);
    }

    @Override
    public void note(String line) {
        notes.add("  " + line);
        draw(notes);
    }

    @Override
    public void show(Frame frame) {
        last = frame;
        if (System.nanoTime() - sizedAt >= LOOK_AT_SIZE_EVERY) {
            size = Terminal.size();
            sizedAt = System.nanoTime();
        }
        draw(text.lines(frame));
    }

    /** Leaves a summary behind on the first page. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        print(CLOSE);
        System.setErr(error);
        List<String> left = last == null ? notes : text.summary(last);
        left.forEach(out::println);
        out.println();
        out.flush();
        error.print(kept.toString(StandardCharsets.UTF_8));
        error.flush();
    }

    private void draw(List<String> lines) {
        StringBuilder frame = new StringBuilder(BEGIN);
        int shown = Math.min(lines.size() + 1, size.rows());
        for (int i = 0; i < shown; i++) {
            String line = i == 0 ? "" : lines.get(i - 1);
            frame.append(line, 0, Math.min(line.length(), size.columns())).append(END_OF_LINE);
            frame.append(i + 1 < shown ? "\r\n" : "");
        }
        print(frame.append(END).toString());
    }

    private void print(String text) {
        out.print(text);
        out.flush();
    }
}
