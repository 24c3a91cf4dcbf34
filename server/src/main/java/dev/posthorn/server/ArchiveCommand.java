package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.archive.Archive;
import dev.posthorn.archive.FolderArchive;
import dev.posthorn.archive.Volume;
import dev.posthorn.console.ArchiveFormat;
import dev.posthorn.console.Json;
import dev.posthorn.postgres.PostgresPruner;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

@Command(
        name = "archive",
        description =
                "Looks at the events that left the log for an archive. They come there by posthorn prune --archive,"
                        + " or by a relay with --archive.",
        subcommands = {
            ArchiveCommand.Listing.class,
            ArchiveCommand.Verify.class,
            ArchiveShowCommand.class,
            ArchiveCommand.Remove.class,
            ArchiveCommand.Stop.class
        },
        footer = {"  posthorn archive list --folder /mnt/archive", "  posthorn archive verify --folder /mnt/archive"})
final class ArchiveCommand {

    static final String ARCHIVE = "archive";
    private static final Duration ANSWER = Duration.ofSeconds(60);

    /** For as long as it takes to read one volume. */
    static final Duration VOLUME = Duration.ofMinutes(10);

    private static final String AT_THE_FOLDER = "What is removed is gone: do it where the folder is, with --folder.";

    /** Which archive. */
    static final class Folder {

        @Spec(Spec.Target.MIXEE)
        private CommandSpec command = CommandSpec.create();

        @Option(names = "--folder", paramLabel = "PATH", description = "The folder of the archive.")
        private @Nullable Path path;

        FolderArchive archive() {
            if (path == null) {
                throw new ParameterException(
                        command.commandLine(),
                        "Which archive? Give --folder PATH"
                                + (command.findOption("--url").hidden()
                                        ? "."
                                        : ", or --url of a process that has one."));
            }
            return new FolderArchive(path);
        }

        /** Both at once would be two archives. */
        void leaveTo(Remote remote) {
            if (remote.isAsked() && path != null) {
                throw new ParameterException(
                        command.commandLine(), "--folder and --url are two archives. Give one of them.");
            }
        }
    }

    @Command(
            name = "list",
            description =
                    "Lists the volumes by their manifests, the oldest events first, without reading what they hold."
                            + " Exits with 1 if one is damaged as far as that shows.",
            footer = {
                "  posthorn archive list --folder /mnt/archive",
                "  posthorn archive list --url http://127.0.0.1:8025"
            })
    static final class Listing implements Callable<Integer> {

        @Mixin
        private Folder folder = new Folder();

        @Mixin
        private Remote remote = new Remote();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            folder.leaveTo(remote);
            return answer(
                    output,
                    remote.isAsked()
                            ? remote.http(ANSWER, output::progress).get(Ask.of(ARCHIVE))
                            : ArchiveFormat.json(folder.archive().list()));
        }
    }

    @Command(
            name = "verify",
            description = "Reads every volume whole and compares it with the checksum and the counts of its manifest."
                    + " Exits with 1 if one is damaged, cut off, exchanged, replaced or missing.",
            footer = {"  posthorn archive verify --folder /mnt/archive --json"})
    static final class Verify implements Callable<Integer> {

        @Spec
        private CommandSpec command = CommandSpec.create();

        @Mixin
        private Folder folder = new Folder();

        @Mixin
        private Remote remote = new Remote();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() throws InterruptedException {
            folder.leaveTo(remote);
            return answer(output, remote.isAsked() ? there(remote.http(VOLUME, output::progress)) : here());
        }

        private ObjectNode there(HttpAnswers http) throws InterruptedException {
            List<ObjectNode> verified = new ArrayList<>();
            for (JsonNode listed : http.get(Ask.of(ARCHIVE)).path("volumes")) {
                verified.add(http.get(Ask.of(ARCHIVE, listed.path("volume").asText())));
            }
            return ArchiveFormat.volumes(verified);
        }

        private ObjectNode here() {
            Archive archive = folder.archive();
            List<Volume> verified = new ArrayList<>();
            Progress progress = new Progress("verified", command.commandLine().getErr());
            for (Volume listed : archive.list()) {
                long before = verified.stream().mapToLong(ArchiveFormat::events).sum();
                verified.add(
                        listed.fault().isPresent()
                                ? listed
                                : archive.verify(listed.name(), events -> progress.accept(before + events)));
            }
            return ArchiveFormat.json(verified);
        }
    }

    @Command(
            name = "remove",
            description = "Removes volumes for good, so that verify does not miss them. Volumes that are gone already"
                    + " may be named too.",
            footer = {"  posthorn archive remove --folder /mnt/archive 2026-03-01T10-00-01Z-3f9a1c2b77d0e4a5"})
    static final class Remove implements Callable<Integer> {

        @Mixin
        private Folder folder = new Folder();

        @Mixin
        private NotRemote unusedUrl = new NotRemote(AT_THE_FOLDER);

        @Parameters(arity = "1..*", paramLabel = "VOLUME", description = "Names as archive list prints them.")
        private List<String> volumes = List.of();

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            FolderArchive archive = folder.archive();
            volumes.forEach(archive::remove);
            output.print(
                    () -> {
                        ObjectNode removed = Json.object();
                        removed.set("removed", Json.strings(volumes));
                        return removed;
                    },
                    () -> "Removed " + String.join(", ", volumes) + ".");
            return 0;
        }
    }

    @Command(
            name = "stop",
            description =
                    "Lets events be pruned again without being archived. Volumes stay as they are. Stop the relays"
                            + " that have --archive first: the next event they archive starts it again.",
            footer = {"  posthorn archive stop --reason 'the archive has moved'"})
    static final class Stop implements Callable<Integer> {

        @Mixin
        private Database database = new Database();

        @Mixin
        private NotRemote unusedUrl = new NotRemote(
                "The process there would start the archive again with its next event: stop it, then use --database-url.");

        @Option(names = "--reason", required = true, paramLabel = "TEXT", description = "Why, for the record.")
        private String reason = "";

        @Mixin
        private Output output = new Output();

        @Override
        public Integer call() {
            try (HikariDataSource source = database.connect(ANSWER)) {
                boolean changed = new PostgresPruner(source, database.schema(), PostgresPruner.STANDARD_RETENTION)
                        .stopArchive(reason);
                output.print(
                        () -> Json.object().put("action", "stop archive").put("changed", changed),
                        () -> changed
                                ? "Events are removed without being archived from now on."
                                : "This log was not archived.");
                return 0;
            }
        }
    }

    private static Integer answer(Output output, ObjectNode archive) {
        output.print(archive, ArchiveText::of);
        return archive.path("damaged").asLong() > 0 ? 1 : 0;
    }
}
