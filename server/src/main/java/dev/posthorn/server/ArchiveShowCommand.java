package dev.posthorn.server;

import com.fasterxml.jackson.databind.JsonNode;
import dev.posthorn.archive.Archive;
import dev.posthorn.archive.ArchiveException;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Volume;
import dev.posthorn.archive.VolumeReader;
import dev.posthorn.console.ArchiveFilter;
import dev.posthorn.console.ArchiveFormat;
import dev.posthorn.console.Json;
import dev.posthorn.event.PosthornException;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "show",
        description = "Finds archived events and prints each in a line, volume by volume. What is given must all hold."
                + " An event that a crash left in two volumes is printed twice. Exits with 1 if a volume is missing or"
                + " can not be read; the others are searched all the same.",
        footer = {"  posthorn archive show --folder /mnt/archive --key order-17 --from 2026-03-01T00:00:00Z"})
final class ArchiveShowCommand implements Callable<Integer> {

    @Spec
    private CommandSpec command = CommandSpec.create();

    @Mixin
    private ArchiveCommand.Folder folder = new ArchiveCommand.Folder();

    @Mixin
    private Remote remote = new Remote();

    @Option(names = "--id", paramLabel = "ID", description = "The event of this id.")
    private @Nullable UUID id;

    @Option(names = "--domain", paramLabel = "DOMAIN", description = "Events of this domain.")
    private @Nullable String domain;

    @Option(names = "--type", paramLabel = "TYPE", description = "Events of this type.")
    private @Nullable String type;

    @Option(names = "--key", paramLabel = "KEY", description = "Events of this key.")
    private @Nullable String key;

    @Option(
            names = "--from",
            paramLabel = "TIME",
            description = "Events emitted at this time or later, as in 2026-03-01T10:00:00Z.")
    private Instant from = Instant.MIN;

    @Option(names = "--to", paramLabel = "TIME", description = "Events emitted before this time.")
    private Instant to = Instant.MAX;

    @Option(
            names = "--json",
            description = "Prints each event as the line of JSON that is archived, with its payload; with --url without"
                    + " payload and headers.")
    private boolean json;

    private long found;
    private boolean complete = true;

    @Override
    public Integer call() throws InterruptedException {
        folder.leaveTo(remote);
        ArchiveFilter filter = new ArchiveFilter(id, domain, type, key, from, to);
        if (remote.isAsked()) {
            search(remote.http(ArchiveCommand.VOLUME, (done, total) -> {}), filter);
        } else {
            search(folder.archive(), filter);
        }
        if (found == 0) {
            say("No such event is in the archive.");
        }
        return complete ? 0 : 1;
    }

    private void search(Archive archive, ArchiveFilter filter) {
        for (Volume volume : archive.list()) {
            volume.fault().ifPresent(fault -> incomplete(volume.name() + ": " + fault));
            if (volume.manifest().filter(filter::mayBeIn).isPresent()) {
                search(archive, volume.name(), filter);
            }
        }
    }

    private void search(Archive archive, String volume, ArchiveFilter filter) {
        try (VolumeReader reader = archive.read(volume)) {
            for (Optional<ArchivedEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                ArchivedEvent archived = next.get();
                if (filter.fits(archived)) {
                    print(json ? archived.toJson() : ArchiveText.event(ArchiveFormat.json(archived, volume)));
                }
            }
        } catch (ArchiveException unreadable) {
            incomplete(String.valueOf(unreadable.getMessage()));
        }
    }

    private void search(HttpAnswers http, ArchiveFilter filter) throws InterruptedException {
        for (JsonNode volume : http.get(Ask.of(ArchiveCommand.ARCHIVE)).path("volumes")) {
            String name = volume.path("volume").asText();
            Fields.text(volume, "fault").ifPresent(fault -> incomplete(name + ": " + fault));
            if (volume.hasNonNull("sha256")
                    && filter.mayBeBetween(
                            Instant.parse(volume.path("first_created_at").asText()),
                            Instant.parse(volume.path("last_created_at").asText()))) {
                search(http, name);
            }
        }
    }

    private void search(HttpAnswers http, String volume) throws InterruptedException {
        Ask ask = Ask.of(ArchiveCommand.ARCHIVE, volume, "events")
                .with("id", id)
                .with("domain", domain)
                .with("type", type)
                .with("key", key)
                .with("from", from.equals(Instant.MIN) ? null : from)
                .with("to", to.equals(Instant.MAX) ? null : to);
        try {
            http.list(
                    ask,
                    new Answers.Pages("events", "after", Integer.MAX_VALUE),
                    (source, schema, each) -> {},
                    event -> print(json ? Json.line(event) : ArchiveText.event(event)));
        } catch (PosthornException unreadable) {
            incomplete(String.valueOf(unreadable.getMessage()));
        }
    }

    private void print(String line) {
        found++;
        PrintWriter out = command.commandLine().getOut();
        out.println(line);
        out.flush();
    }

    private void incomplete(String why) {
        complete = false;
        say(why);
    }

    private void say(String what) {
        PrintWriter err = command.commandLine().getErr();
        err.println(what);
        err.flush();
    }
}
