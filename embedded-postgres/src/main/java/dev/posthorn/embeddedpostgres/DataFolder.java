package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Makes the data folder of a server: initialised once for each version, then copied. */
final class DataFolder {

    private DataFolder() {}

    /** A fresh one, readable by the server's account alone. */
    static Path create(Path instance, Binaries binaries, Folders folders) throws IOException, InterruptedException {
        Path template = folders.cached("data-" + binaries.key(), folder -> initialise(folder, binaries, folders));
        Path data = instance.resolve("data");
        // Keeps owner and mode, which Postgres insists on.
        Command.run(List.of("cp", "-a", template.toString(), data.toString()), instance);
        return data;
    }

    private static void initialise(Path folder, Binaries binaries, Folders folders)
            throws IOException, InterruptedException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        folders.account().own(folder);
        List<String> initdb = List.of(
                binaries.folder().resolve("initdb").toString(),
                "--pgdata=" + folder,
                "--username=postgres",
                "--auth=trust",
                "--encoding=UTF8",
                "--no-locale",
                "--no-sync");
        Command.run(folders.account().command(initdb), Path.of("/"));
    }
}
