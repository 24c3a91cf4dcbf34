package dev.posthorn.postgres;

import dev.posthorn.archive.Archive;
import dev.posthorn.archive.FolderArchive;
import dev.posthorn.archive.Volume;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/** What a folder's sound volumes hold, read as anybody would. */
record ArchiveFolder(Path path) {

    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");

    Archive archive() {
        return new FolderArchive(path);
    }

    List<Volume> volumes() {
        return archive().list().stream()
                .map(volume -> archive().verify(volume.name(), events -> {}))
                .toList();
    }

    /** The lines of every volume that verifies. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Volume volume : volumes()) {
            if (volume.fault().isEmpty()) {
                lines.addAll(lines(volume.name()));
            }
        }
        return lines;
    }

    /** With repetition, where an event is in several volumes. */
    List<String> ids() {
        return lines().stream()
                .map(line -> {
                    Matcher id = ID.matcher(line);
                    if (!id.find()) {
                        throw new IllegalStateException("no id in " + line);
                    }
                    return id.group(1);
                })
                .toList();
    }

    private List<String> lines(String volume) {
        Path file = path.resolve(volume).resolve("events.jsonl.gz");
        try (BufferedReader in = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            return in.lines().toList();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
