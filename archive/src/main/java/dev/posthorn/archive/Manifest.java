package dev.posthorn.archive;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a volume holds. All of it follows from the file of events, so that any change of either is found.
 *
 * @param sha256 of the compressed file, in hexadecimal
 * @param bytes its size
 */
public record Manifest(
        String sha256,
        long bytes,
        long events,
        long firstSeq,
        long lastSeq,
        Instant firstCreatedAt,
        Instant lastCreatedAt) {

    private static final int NAMED_DIGITS = 16;
    private static final DateTimeFormatter NAMED_TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH-mm-ss'Z'").withZone(ZoneOffset.UTC);
    private static final Pattern FORM =
            Pattern.compile("\\{\"format\":1,\"sha256\":\"([0-9a-f]{64})\",\"bytes\":(\\d{1,18}),"
                    + "\"events\":(\\d{1,18}),\"first_seq\":(\\d{1,19}),\"last_seq\":(\\d{1,19}),"
                    + "\"first_created_at\":\"([^\"]+)\",\"last_created_at\":\"([^\"]+)\"}\n");

    /** The name of the volume: the same events have the same, in the order of their time. */
    String volumeName() {
        return NAMED_TIME.format(firstCreatedAt) + "-" + sha256.substring(0, NAMED_DIGITS);
    }

    String toJson() {
        return "{\"format\":1,\"sha256\":\"" + sha256 + "\",\"bytes\":" + bytes + ",\"events\":" + events
                + ",\"first_seq\":" + firstSeq + ",\"last_seq\":" + lastSeq + ",\"first_created_at\":\""
                + firstCreatedAt + "\",\"last_created_at\":\"" + lastCreatedAt + "\"}\n";
    }

    /** Takes what {@link #toJson} wrote and nothing else, to the byte. */
    static Optional<Manifest> parse(String json) {
        Matcher found = FORM.matcher(json);
        if (!found.matches()) {
            return Optional.empty();
        }
        try {
            Manifest manifest = new Manifest(
                    found.group(1),
                    Long.parseLong(found.group(2)),
                    Long.parseLong(found.group(3)),
                    Long.parseLong(found.group(4)),
                    Long.parseLong(found.group(5)),
                    Instant.parse(found.group(6)),
                    Instant.parse(found.group(7)));
            return Optional.of(manifest).filter(read -> read.toJson().equals(json));
        } catch (DateTimeException | NumberFormatException damaged) {
            return Optional.empty();
        }
    }

    /** Where this one, which was read from the events, is not the other. */
    String differencesFrom(Manifest expected) {
        List<String> differences = new ArrayList<>();
        compare(differences, "sha256", sha256, expected.sha256);
        compare(differences, "bytes", bytes, expected.bytes);
        compare(differences, "events", events, expected.events);
        compare(differences, "first seq", firstSeq, expected.firstSeq);
        compare(differences, "last seq", lastSeq, expected.lastSeq);
        compare(differences, "first created at", firstCreatedAt, expected.firstCreatedAt);
        compare(differences, "last created at", lastCreatedAt, expected.lastCreatedAt);
        return String.join("; ", differences);
    }

    private static void compare(List<String> differences, String what, Object is, Object shouldBe) {
        if (!is.equals(shouldBe)) {
            differences.add(what + " " + is + " instead of " + shouldBe);
        }
    }
}
