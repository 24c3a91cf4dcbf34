package dev.posthorn.systemtests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.archive.FolderArchive;
import dev.posthorn.archive.Volume;
import dev.posthorn.server.Main;
import dev.posthorn.testkit.Await;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes that are killed while they archive and remove events. */
@Tag("slow")
@Tag("exact")
class ArchiveCrashTest {

    private static final Pattern ID = Pattern.compile("\"id\":\"([0-9a-f-]{36})\"");
    private static final int EVENTS = 40_000;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    private final Shop shop = new Shop("archive");
    private int routes;

    @TempDir
    private Path folder;

    @AfterEach
    void close() {
        shop.close();
    }

    @Test
    void killedAtAnyMomentEveryEventIsInTheLogOrInASoundVolume() {
        Random random = Seed.random("archive");
        int kills = Size.of(2, 2, 50);
        Set<String> emitted = new HashSet<>();
        int interrupted = 0;
        for (int i = 0; i < kills; i++) {
            emit();
            emitted.addAll(inLog());
            int before = volumes();
            JavaProcess archiving = launch("prune", "--archive", folder.toString(), "--archive-after", "0s");
            Await.within(
                    PATIENCE,
                    () -> "its turn begins: " + archiving.log(),
                    () -> shop.number("SELECT count(*) FROM posthorn.archive WHERE turn_until > clock_timestamp()")
                            == 1);
            boolean whileRemoving = i % 2 == 1; // else while writing, most likely
            if (whileRemoving) {
                Await.within(PATIENCE, () -> "a volume: " + archiving.log(), () -> volumes() > before);
            }
            LockSupport.parkNanos(TimeUnit.MICROSECONDS.toNanos(random.nextInt(whileRemoving ? 500_000 : 2_000_000)));

            archiving.close();
            archiving.awaitExit(PATIENCE);

            Set<String> left = inLog();
            Set<String> archived = inVolumes();
            interrupted += left.isEmpty() ? 0 : 1;
            System.out.println("killed: " + left.size() + " in the log, " + archived.size() + " archived");
            archived.addAll(left);
            assertThat(archived.equals(emitted)).as("every event is somewhere").isTrue();
            shop.run("UPDATE posthorn.archive SET turn_until = '-infinity'"); // two minutes later
        }
        assertThat(interrupted).as("kills that came before the end").isPositive();

        assertThat(launch("prune", "--archive", folder.toString(), "--archive-after", "0s")
                        .awaitExit(PATIENCE.multipliedBy(kills)))
                .as("what all of them left")
                .isZero();

        assertThat(inLog()).isEmpty();
        assertThat(inVolumes().equals(emitted)).as("every event is archived").isTrue();
        assertThat(launchPlain("archive", "verify", "--folder", folder.toString())
                        .awaitExit(PATIENCE))
                .isZero();
    }

    @Test
    void aRelayProcessArchivesWhatItHasPublished() {
        launch(
                "relay",
                "--transport",
                "memory",
                "--start",
                "beginning",
                "--archive",
                folder.toString(),
                "--archive-after",
                "1s",
                "--prune-every",
                "1s");
        shop.run("INSERT INTO posthorn.outbox (domain, type, key) SELECT 'shop', 'Placed', 'k' || n % 9"
                + " FROM generate_series(1, 500) AS n");
        Set<String> emitted = inLog();

        Await.within(PATIENCE, () -> "all are archived", () -> inLog().isEmpty());

        assertThat(emitted).hasSize(500).isEqualTo(inVolumes());
    }

    /** Events that may go at once: every route that is left began after them. */
    private void emit() {
        shop.run("INSERT INTO posthorn.outbox (domain, type, key, payload) SELECT 'shop', 'Placed', 'k' || n % 97,"
                + " sha256(n::text::bytea) FROM generate_series(1, " + EVENTS + ") AS n");
        String route = "r" + routes++;
        launch("routes", "create", route).awaitExit(PATIENCE);
        shop.run("UPDATE posthorn.route SET retired_at = now() WHERE name <> '" + route + "'");
    }

    private JavaProcess launch(String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--database-url");
        all.add(shop.url());
        return shop.launch(words[0], Main.class.getName(), all);
    }

    private JavaProcess launchPlain(String... words) {
        return shop.launch(words[0], Main.class.getName(), List.of(words));
    }

    private int volumes() {
        return new FolderArchive(folder).list().size();
    }

    private Set<String> inLog() {
        return new HashSet<>(shop.rows("SELECT id::text FROM posthorn.outbox"));
    }

    /** None of which may be unsound, whatever was killed. */
    private Set<String> inVolumes() {
        FolderArchive archive = new FolderArchive(folder);
        Set<String> ids = new HashSet<>();
        for (Volume volume : archive.list()) {
            assertThat(archive.verify(volume.name(), events -> {}).fault()).isEmpty();
            Path file = folder.resolve(volume.name()).resolve("events.jsonl.gz");
            try (BufferedReader lines = new BufferedReader(
                    new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
                lines.lines().forEach(line -> {
                    Matcher id = ID.matcher(line);
                    assertThat(id.find()).as(line).isTrue();
                    ids.add(id.group(1));
                });
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return ids;
    }
}
