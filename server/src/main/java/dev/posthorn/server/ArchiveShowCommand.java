package dev.posthorn.server;

import dev.posthorn.archive.Archive;
import dev.posthorn.archive.ArchiveException;
import dev.posthorn.archive.ArchivedEvent;
import dev.posthorn.archive.Manifest;
import dev.posthorn.archive.Volume;
import dev.posthorn.archive.VolumeReader;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.Optional;
import java.util.TreeMap;
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

    @Option(names = "--json", description = "Prints each event as the line of JSON that is archived, with its payload.")
    private boolean json;

    private long found;
    private boolean complete = true;

    @Override
    public Integer call() {
        Archive archive = folder.archive();
        for (Volume volume : archive.list()) {
            if (volume.fault().isPresent()) {
                incomplete(volume.name() + ": " + volume.fault().get());
            }
            if (volume.manifest().filter(this::mayHold).isPresent()) {
                search(archive, volume.name());
            }
        }
        if (found == 0) {
            say("No such event is in the archive.");
        }
        return complete ? 0 : 1;
    }

    private boolean mayHold(Manifest manifest) {
        return !manifest.lastCreatedAt().isBefore(from)
                && manifest.firstCreatedAt().isBefore(to);
    }

    private void search(Archive archive, String volume) {
        try (VolumeReader reader = archive.read(volume)) {
            for (Optional<ArchivedEvent> next = reader.next(); next.isPresent(); next = reader.next()) {
                if (matches(next.get())) {
                    print(next.get(), volume);
                }
            }
        } catch (ArchiveException unreadable) {
            incomplete(String.valueOf(unreadable.getMessage()));
        }
    }

    private boolean matches(ArchivedEvent archived) {
        Instant at = archived.place().createdAt();
        return (id == null || id.equals(archived.event().id()))
                && (domain == null || domain.equals(archived.event().domain()))
                && (type == null || type.equals(archived.event().type()))
                && (key == null || key.equals(archived.event().key().orElse(null)))
                && !at.isBefore(from)
                && at.isBefore(to);
    }

    private void print(ArchivedEvent archived, String volume) {
        found++;
        PrintWriter out = command.commandLine().getOut();
        out.println(json ? archived.toJson() : text(archived, volume));
        out.flush();
    }

    private static String text(ArchivedEvent archived, String volume) {
        StringBuilder text = new StringBuilder();
        text.append(archived.place().createdAt())
                .append(' ')
                .append(archived.event().id())
                .append(' ')
                .append(archived.event().domain())
                .append(' ')
                .append(archived.event().type());
        archived.event().key().ifPresent(its -> text.append(", key ").append(its));
        text.append(", seq ")
                .append(archived.place().seq())
                .append(", ")
                .append(archived.event().payloadSize())
                .append(" bytes");
        new TreeMap<>(archived.publishedAt())
                .forEach((route, at) ->
                        text.append(", ").append(route).append(" published it ").append(at));
        return text.append(", in ").append(volume).toString();
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
