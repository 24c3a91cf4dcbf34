package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveCommandTest {

    private static final AtomicInteger DATABASES = new AtomicInteger();
    private static EmbeddedPostgres server;

    @TempDir
    private Path folder;

    private String url = "";

    @BeforeAll
    static void start() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /** A log whose only event may go: the route that is left started after it. */
    @BeforeEach
    void aLogWithAnEventThatMayGo() {
        url = server.createDatabase("archive_" + DATABASES.incrementAndGet());
        run("schema", "migrate");
        run("emit", "--domain", "shop", "--type", "placed", "--json-payload", "{\"a\":1}");
        run("routes", "create", "main", "--start", "now");
    }

    @Test
    void whatIsPrunedIsInTheArchive() {
        assertThat(run("prune", "--archive", folder.toString(), "--dry-run").out())
                .contains("1 events would be archived and removed. Nothing was changed.");
        assertThat(run("archive", "list").out()).contains("0 volumes, 0 of them damaged; 0 events in the others.");

        Cli pruned = run("prune", "--archive", folder.toString(), "--archive-after", "90d", "--json");

        assertThat(pruned.json().path("events").asInt()).as(pruned.err()).isEqualTo(1);
        assertThat(pruned.json().path("archived").asInt()).isEqualTo(1);
        assertThat(pruned.json().path("volumes").asInt()).isEqualTo(1);
        assertThat(pruned.json().path("archive_after").asText()).isEqualTo("90d");
        assertThat(pruned.json().path("archive").asText()).isEqualTo(folder.toString());
        JsonNode listed = run("archive", "list", "--json").json();
        assertThat(listed.path("events").asInt()).isEqualTo(1);
        assertThat(listed.path("volumes").get(0).path("first_seq").asInt()).isEqualTo(1);
        assertThat(listed.path("volumes").get(0).path("fault").isNull()).isTrue();
        Cli verified = run("archive", "verify");
        assertThat(verified.code()).isZero();
        assertThat(verified.out())
                .contains(": 1 events, seq 1 to 1, emitted 20")
                .contains("1 volumes, 0 of them damaged; 1 events in the others.");
        assertThat(run("prune", "--archive", folder.toString()).out())
                .contains("Archived 0 events in 0 volumes. Removed 0 events,");
    }

    @Test
    void damageIsToldAndExitsWithOne() throws IOException {
        run("prune", "--archive", folder.toString());
        String name = onlyVolume();
        Path events = folder.resolve(name).resolve("events.jsonl.gz");
        byte[] bytes = Files.readAllBytes(events);
        bytes[bytes.length / 2] ^= 1;
        Files.write(events, bytes);

        Cli verified = run("archive", "verify", "--json");

        assertThat(verified.code()).isEqualTo(1);
        assertThat(verified.json().path("damaged").asInt()).isEqualTo(1);
        assertThat(verified.json().path("volumes").get(0).path("fault").asText())
                .contains("events.jsonl.gz is");
        Files.delete(folder.resolve(name).resolve("manifest.json"));
        assertThat(run("archive", "list").code()).isEqualTo(1);
        assertThat(run("archive", "list").out())
                .contains(name + ": DAMAGED: manifest.json is missing, so there is no checksum to compare with");
    }

    @Test
    void aVolumeThatIsGoneIsMissedUntilItIsRemovedOnPurpose() throws IOException {
        run("prune", "--archive", folder.toString());
        String name = onlyVolume();
        Files.move(folder.resolve(name), folder.resolve(".aside"));

        Cli verified = run("archive", "verify");

        assertThat(verified.code()).isEqualTo(1);
        assertThat(verified.out()).contains(name + ": DAMAGED: the volume is missing");
        assertThat(run("archive", "show").code()).isEqualTo(1);
        assertThat(run("archive", "remove", name).out()).contains("Removed " + name + ".");
        assertThat(run("archive", "verify").code()).isZero();
    }

    @Test
    void archivedEventsAreFoundAgain() {
        run("emit", "--domain", "shop", "--type", "paid", "--key", "order-17", "--json-payload", "2");
        run("routes", "retire", "main", "--reason", "test");
        run("routes", "create", "later");
        run("prune", "--archive", folder.toString());

        assertThat(run("archive", "show").out().lines()).hasSize(2);
        String paid = run("archive", "show", "--type", "paid").out();
        assertThat(paid.lines()).singleElement().asString().contains(" shop paid, key order-17, seq 2, 1 bytes, in 20");
        Cli json = run("archive", "show", "--key", "order-17", "--json");
        assertThat(json.json().path("type").asText()).isEqualTo("paid");
        assertThat(json.json().path("payload_base64").asText()).isEqualTo("Mg==");
        String id = json.json().path("id").asText();
        assertThat(run("archive", "show", "--id", id).out()).isEqualTo(paid);
        String at = json.json().path("created_at").asText();
        assertThat(run("archive", "show", "--from", at).out()).isEqualTo(paid);
        assertThat(run("archive", "show", "--to", at).out()).contains(" shop placed, ");
        Cli nothing = run("archive", "show", "--domain", "other");
        assertThat(nothing.code()).isZero();
        assertThat(nothing.err()).contains("No such event is in the archive.");
    }

    @Test
    void withoutTheFolderNothingIsRemoved() {
        Cli pruned = run("prune", "--archive", folder.resolve("missing").toString());

        assertThat(pruned.code()).isEqualTo(1);
        assertThat(pruned.err())
                .contains("can not be written: there is no such folder; create it, or mount it. No event was removed");
        assertThat(run("prune", "--archive", folder.toString()).out()).contains("Archived 1 events");
        Cli listed =
                Cli.run("archive", "list", "--folder", folder.resolve("missing").toString());
        assertThat(listed.code()).isEqualTo(1);
        assertThat(listed.err()).contains("can not be read: there is no such folder");
    }

    @Test
    void whoForgetsTheArchiveIsReminded() {
        run("prune", "--archive", folder.toString(), "--archive-after", "90d");
        run("emit", "--domain", "shop", "--type", "placed", "--json-payload", "1");

        Cli forgetful = run("prune");

        assertThat(forgetful.code()).isEqualTo(1);
        assertThat(forgetful.err()).contains("This log is archived").contains("--archive");
        Cli stopped = run("archive", "stop", "--reason", "moved");
        assertThat(stopped.out()).contains("Events are removed without being archived from now on.");
        assertThat(run("archive", "stop", "--reason", "moved").out()).contains("This log was not archived.");
        assertThat(run("prune").code()).isZero();
    }

    @Test
    void optionsThatMakeNoSenseAreRefused() {
        assertThat(run("prune", "--archive-after", "90d").err()).contains("give --archive too");
        assertThat(run("prune", "--archive", folder.toString(), "--retention", "90d")
                        .err())
                .contains("Leave --retention out");
        assertThat(run("relay", "--transport", "memory", "--archive-after", "90d")
                        .code())
                .isEqualTo(2);
        assertThat(Cli.run("archive", "verify").code()).isEqualTo(2);
    }

    private String onlyVolume() {
        return run("archive", "list", "--json")
                .json()
                .path("volumes")
                .get(0)
                .path("volume")
                .asText();
    }

    /** With the database or the folder, whichever the command takes. */
    private Cli run(String... words) {
        List<String> all = new ArrayList<>(Arrays.asList(words));
        boolean reads = words[0].equals("archive") && !words[1].equals("stop");
        all.add(reads ? "--folder" : "--database-url");
        all.add(reads ? folder.toString() : url);
        return Cli.run(all.toArray(new String[0]));
    }
}
