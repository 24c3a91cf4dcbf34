package dev.posthorn.systemtests;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** One page of the documentation, taken apart. */
final class Markdown {

    /** A fenced block: the line of its first fence, its language, the snippet named above it, and its text. */
    record Block(int line, String language, @Nullable String snippet, List<String> text) {}

    private static final Pattern MARKER = Pattern.compile("<!-- snippet: ([a-z0-9-]+) -->");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final String FENCE = "```";

    private final Path file;
    private final List<String> lines;
    private final List<Block> blocks = new ArrayList<>();
    private final List<String> prose = new ArrayList<>();

    private Markdown(Path file, List<String> lines) {
        this.file = file;
        this.lines = lines;
        for (int i = 0; i < lines.size(); i++) {
            if (lines.get(i).startsWith(FENCE)) {
                i = readBlock(i);
            } else {
                prose.add(lines.get(i).replaceAll("`[^`]*`", ""));
            }
        }
    }

    static Markdown read(Path file) throws IOException {
        return new Markdown(file, Files.readAllLines(file));
    }

    /** Every page of the repository, without what builds leave behind. */
    static List<Markdown> pages() throws IOException {
        List<Markdown> pages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(Modules.root())) {
            for (Path file : files.filter(Markdown::isPage).sorted().toList()) {
                pages.add(read(file));
            }
        }
        return pages;
    }

    private static boolean isPage(Path file) {
        String name = Modules.root().relativize(file).toString();
        return name.endsWith(".md") && !name.contains("target/") && !name.startsWith(".");
    }

    private int readBlock(int first) {
        int end = first + 1;
        while (!lines.get(end).startsWith(FENCE)) {
            end++;
        }
        Matcher marker = MARKER.matcher(first == 0 ? "" : lines.get(first - 1));
        blocks.add(new Block(
                first,
                lines.get(first).substring(FENCE.length()).strip(),
                marker.matches() ? marker.group(1) : null,
                lines.subList(first + 1, end)));
        return end;
    }

    Path file() {
        return file;
    }

    List<Block> blocks() {
        return blocks;
    }

    /** What is neither code nor a diagram. */
    String prose() {
        return String.join("\n", prose);
    }

    /** Targets of links that lead to another file or heading of the repository. */
    List<String> relativeLinks() {
        return LINK.matcher(prose())
                .results()
                .map(link -> link.group(1))
                .filter(target -> !target.matches("[a-z]+:.*"))
                .toList();
    }

    /** The names by which headings can be linked to. */
    List<String> anchors() {
        return lines.stream()
                .filter(line -> line.matches("#+ .*"))
                .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
                .map(title -> title.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }

    /** The page with this text in the block. */
    Markdown with(Block block, String text) {
        List<String> changed = new ArrayList<>(lines.subList(0, block.line() + 1));
        changed.addAll(text.lines().toList());
        changed.addAll(lines.subList(block.line() + 1 + block.text().size(), lines.size()));
        return new Markdown(file, List.copyOf(changed));
    }

    void write() throws IOException {
        Files.writeString(file, String.join("\n", lines) + "\n");
    }
}
