package dev.posthorn.demo;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What the standard streams are connected to. */
public final class Terminal {

    static final Size USUAL = new Size(24, 80);

    private Terminal() {}

    record Size(int rows, int columns) {}

    public static boolean isStandardOutput() {
        return !"dumb".equals(System.getenv("TERM")) && isTerminal(1);
    }

    public static boolean isStandardError() {
        return isTerminal(2);
    }

    /** Asks the system: Java's own answer is about input and output together, and another one in every version. */
    private static boolean isTerminal(int descriptor) {
        try {
            Process test = new ProcessBuilder("test", "-t", Integer.toString(descriptor))
                    .inheritIO()
                    .start();
            return test.waitFor(1, TimeUnit.SECONDS) && test.exitValue() == 0;
        } catch (IOException noSuchProgram) {
            return false;
        } catch (InterruptedException stop) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    /** How large it is now, or as usual if it does not say. */
    static Size size() {
        try {
            Process stty = new ProcessBuilder("sh", "-c", "stty size </dev/tty 2>/dev/null").start();
            String answer = new String(stty.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
            String[] numbers = answer.split(" ", -1);
            if (numbers.length == 2 && !answer.startsWith("0")) {
                return new Size(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]));
            }
        } catch (IOException | NumberFormatException unknown) {
            // Then it is taken to be as large as most.
        }
        return USUAL;
    }

    /** Whether the locale can show more than ASCII. */
    static boolean isUnicode() {
        String locale = Stream.of("LC_ALL", "LC_CTYPE", "LANG")
                .map(System::getenv)
                .filter(Objects::nonNull)
                .filter(value -> !value.isEmpty())
                .findFirst()
                .orElse("");
        return locale.toLowerCase(Locale.ROOT).replace("-", "").contains("utf8");
    }
}
