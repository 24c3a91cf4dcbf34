package dev.posthorn.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Which volumes a folder has had, a line each in the order of writing: what tells that one is missing.
 *
 * <p>A line is added after its volume has its name, so a crash leaves a volume without a line, never a line without its
 * volume. Whoever writes the next volume adds it. Each line has the checksum of the one before it, so none can be changed,
 * moved or taken out of the middle. Each volume has a copy of the line that was the last when it was written
 * ({@value #PREVIOUS}), so that the index can not be cut off or removed without a trace either.
 */
final class Index {

    static final String FILE = "index.jsonl";
    static final String PREVIOUS = "previous.json";

    /**
     * One volume.
     *
     * @param seal what {@link #sealOf} gives for it; empty if it was removed on purpose
     * @param before the checksum of the line before it, or of nothing
     */
    record Line(long number, String volume, String seal, String before) {

        private static final Pattern FORM =
                Pattern.compile("\\{\"format\":1,\"number\":(\\d{1,18}),\"volume\":\"([^\"\\\\/]+)\","
                        + "\"sha256\":\"((?:[0-9a-f]{64})?)\",\"before\":\"([0-9a-f]{64})\"}\n");

        String text() {
            return "{\"format\":1,\"number\":" + number + ",\"volume\":\"" + volume + "\",\"sha256\":\"" + seal
                    + "\",\"before\":\"" + before + "\"}\n";
        }

        /** Takes what {@link #text} wrote and nothing else, to the byte. */
        static Optional<Line> parse(String text) {
            Matcher found = FORM.matcher(text);
            return found.matches()
                    ? Optional.of(new Line(
                                    Long.parseLong(found.group(1)), found.group(2), found.group(3), found.group(4)))
                            .filter(line -> line.text().equals(text))
                    : Optional.empty();
        }

        boolean isRemoved() {
            return seal.isEmpty();
        }
    }

    private final List<Line> lines;
    private final String last;
    private final long length;
    private final Optional<String> fault;

    private Index(List<Line> lines, String last, long length, Optional<String> fault) {
        this.lines = lines;
        this.last = last;
        this.length = length;
        this.fault = fault;
    }

    /** As far as it can be read. What follows the last end of a line was cut off by a crash and does not count. */
    static Index read(Path folder) throws IOException {
        String text;
        try {
            text = new String(Files.readAllBytes(folder.resolve(FILE)), StandardCharsets.ISO_8859_1);
        } catch (NoSuchFileException none) {
            text = "";
        }
        List<Line> lines = new ArrayList<>();
        Optional<String> fault = Optional.empty();
        String last = "";
        int at = 0;
        for (int end = text.indexOf('\n') + 1; end > 0; end = text.indexOf('\n', at) + 1) {
            String next = text.substring(at, end);
            Optional<Line> line = Line.parse(next);
            boolean inPlace =
                    line.filter(read -> read.number() == lines.size() + 1).isPresent()
                            && line.get().before().equals(Sha256.of(last));
            if (!inPlace && fault.isEmpty()) {
                fault = Optional.of("line " + (lines.size() + 1) + " is damaged, or not where it was written");
            }
            line.ifPresent(lines::add);
            last = next;
            at = end;
        }
        return new Index(lines, last, at, fault);
    }

    List<Line> lines() {
        return lines;
    }

    /** The newest line, if there is one that can be read. */
    Optional<Line> newest() {
        return lines.isEmpty() ? Optional.empty() : Optional.of(lines.get(lines.size() - 1));
    }

    /** The newest word on a volume. */
    Optional<Line> of(String volume) {
        for (int i = lines.size() - 1; i >= 0; i--) {
            if (lines.get(i).volume().equals(volume)) {
                return Optional.of(lines.get(i));
            }
        }
        return Optional.empty();
    }

    /** How many bytes of it are whole lines. */
    long length() {
        return length;
    }

    /** What is wrong with it, for people. */
    Optional<String> fault() {
        return fault;
    }

    /** This one with a line more. */
    Index with(String volume, String seal) {
        Line line = new Line(newest().map(Line::number).orElse(0L) + 1, volume, seal, Sha256.of(last));
        List<Line> more = new ArrayList<>(lines);
        more.add(line);
        return new Index(more, line.text(), length + line.text().length(), fault);
    }

    /** What a volume says of itself and of the one before it, as one checksum. */
    static String sealOf(Path volume) throws IOException {
        var digest = Sha256.begin();
        digest.update(Files.readAllBytes(volume.resolve(FolderArchive.MANIFEST)));
        if (Files.exists(volume.resolve(PREVIOUS))) {
            digest.update(Files.readAllBytes(volume.resolve(PREVIOUS)));
        }
        return Sha256.end(digest);
    }
}
