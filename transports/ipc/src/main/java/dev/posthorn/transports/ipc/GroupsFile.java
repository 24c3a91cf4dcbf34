package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Which subscribers a hub has, so that the next one knows them before they are back: what is published in between waits for them.
 *
 * <p>A line each: name, domains and types, separated by tabs, with commas between domains, all as in a URL. When it was last
 * touched tells how long the hub has been gone.
 */
final class GroupsFile {

    private static final Logger LOG = LoggerFactory.getLogger(GroupsFile.class);

    private final Path path;

    GroupsFile(Path path) {
        this.path = path;
    }

    List<Group.Wishes> read() throws IOException {
        List<Group.Wishes> all = new ArrayList<>();
        if (Files.exists(path)) {
            for (String line : Files.readAllLines(path)) {
                String[] parts = line.split("\t", -1);
                if (parts.length == 3 && !parts[0].isEmpty()) {
                    all.add(new Group.Wishes(plain(parts[0]), set(parts[1]), set(parts[2])));
                } else {
                    LOG.warn("{} has a line that is no subscriber: {}", path, line);
                }
            }
        }
        return all;
    }

    /** Whole or not at all. */
    void write(Collection<Group.Wishes> all) throws IOException {
        if (all.isEmpty()) {
            Files.deleteIfExists(path);
            return;
        }
        String text = all.stream()
                .map(one -> encoded(Set.of(one.subscriber())) + "\t" + encoded(one.domains()) + "\t"
                        + encoded(one.types()) + "\n")
                .collect(Collectors.joining());
        Path fresh = path.resolveSibling(path.getFileName() + ".new");
        Files.deleteIfExists(fresh);
        try (var channel = Files.newByteChannel(
                fresh, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), Folder.OWNERS_FILE)) {
            var bytes = UTF_8.encode(text);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }
        Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    /** The hub is alive. */
    void touch() {
        try {
            if (Files.exists(path)) {
                Files.setLastModifiedTime(path, FileTime.from(Instant.now()));
            }
        } catch (IOException failure) {
            LOG.debug("{} could not be touched: {}", path, failure.toString());
        }
    }

    /** How long ago a hub was alive, as far as the file tells; zero if there is none. */
    Duration age() {
        try {
            return Duration.between(Files.getLastModifiedTime(path).toInstant(), Instant.now());
        } catch (IOException missing) {
            return Duration.ZERO;
        }
    }

    private static String encoded(Set<String> texts) {
        return texts.stream().map(text -> URLEncoder.encode(text, UTF_8)).collect(Collectors.joining(","));
    }

    private static Set<String> set(String text) {
        return text.isEmpty()
                ? Set.of()
                : List.of(text.split(",")).stream()
                        .map(GroupsFile::plain)
                        .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String plain(String text) {
        return URLDecoder.decode(text, UTF_8);
    }
}
