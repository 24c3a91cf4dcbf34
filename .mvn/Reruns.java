import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.w3c.dom.Element;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/**
 * Lists the tests that passed only when they were repeated, and decides whether the run still counts as passed.
 *
 * <p>A repeated test hides a fault unless it failed for want of time alone. So a rerun is accepted only if the first run ended in
 * {@code Await}'s "Waited … in vain", and only outside of tests tagged {@code exact}: those that compare what was committed with
 * what arrived, or wait for a drain. An event that never arrives looks just like a slow machine there. Every other failure, and
 * every error, counts the first time.
 *
 * <p>Usage: {@code java Reruns.java ROOT STARTED}: reads the Surefire reports below ROOT that are newer than the file STARTED,
 * prints one line per repeated test, writes the same lines to ROOT/target/reruns.txt, and ends with 1 if any of them counts.
 */
public final class Reruns {

    private static final String EXACT = "@Tag(\"exact\")";
    private static final Pattern EXTENDS = Pattern.compile("\\bclass\\s+(\\w+)(?:<[^{]*?>)?\\s+extends\\s+(\\w+)");
    private static final Pattern REPORT = Pattern.compile("TEST-.*\\.xml");

    private final Map<String, String> parents = new HashMap<>();
    private final Map<String, Boolean> tagged = new HashMap<>();

    /** A test that failed once and was repeated. */
    private record Rerun(String test, String message, boolean counts) {
        String line() {
            return (counts ? "WRONG" : "LATE") + " the first time: " + test + ": " + message;
        }
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]);
        Path started = Path.of(arguments[1]);
        List<Rerun> reruns = new Reruns(root).of(reports(root, started));
        List<String> lines = reruns.isEmpty()
                ? List.of("no test was repeated")
                : reruns.stream().map(Rerun::line).toList();
        lines.forEach(line -> System.out.println("test: " + line));
        Files.createDirectories(root.resolve("target"));
        Files.write(root.resolve("target/reruns.txt"), lines);
        System.exit(reruns.stream().anyMatch(Rerun::counts) ? 1 : 0);
    }

    private Reruns(Path root) throws IOException {
        for (Path source : sources(root)) {
            String text = Files.readString(source);
            String name = nameOf(source).replace(".java", "");
            tagged.merge(name, text.contains(EXACT), Boolean::logicalOr);
            Matcher found = EXTENDS.matcher(text);
            if (found.find() && found.group(1).equals(name)) {
                parents.put(name, found.group(2));
            }
        }
    }

    private static List<Path> sources(Path root) throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> nameOf(file).endsWith(".java") && file.toString().contains("src/"))
                    .toList();
        }
    }

    private static List<Path> reports(Path root, Path started) throws IOException {
        long from = Files.getLastModifiedTime(started).toMillis();
        List<Path> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                if (REPORT.matcher(nameOf(file)).matches()
                        && file.toString().contains("surefire-reports")
                        && Files.getLastModifiedTime(file).toMillis() >= from) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    private static String nameOf(Path file) {
        return String.valueOf(file.getFileName());
    }

    private List<Rerun> of(List<Path> reports) throws Exception {
        List<Rerun> reruns = new ArrayList<>();
        for (Path report : reports) {
            NodeList tests = DocumentBuilderFactory.newInstance()
                    .newDocumentBuilder()
                    .parse(report.toFile())
                    .getElementsByTagName("testcase");
            for (int i = 0; i < tests.getLength(); i++) {
                rerunOf((Element) tests.item(i)).ifPresent(reruns::add);
            }
        }
        return reruns;
    }

    /** Of several failed runs the first one that counts, else the first. */
    private Optional<Rerun> rerunOf(Element test) {
        List<Rerun> failures = new ArrayList<>();
        for (Node child = test.getFirstChild(); child != null; child = child.getNextSibling()) {
            if (child instanceof Element failure && failure.getTagName().matches("flakyFailure|flakyError")) {
                failures.add(judge(test, failure));
            }
        }
        return failures.stream().filter(Rerun::counts).findFirst().or(() -> failures.stream().findFirst());
    }

    private Rerun judge(Element test, Element failure) {
        String type = test.getAttribute("classname");
        String message = failure.getAttribute("message");
        boolean late = failure.getTagName().equals("flakyFailure") && message.startsWith("Waited ");
        String shown = message.isEmpty() ? failure.getAttribute("type") : message;
        return new Rerun(type + "." + test.getAttribute("name"), shown, !late || isExact(type));
    }

    private boolean isExact(String type) {
        String name = type.substring(type.lastIndexOf('.') + 1).replaceAll("\\$.*", "");
        for (String at = name; at != null; at = parents.get(at)) {
            if (Objects.requireNonNullElse(tagged.get(at), false)) {
                return true;
            }
        }
        return false;
    }
}
