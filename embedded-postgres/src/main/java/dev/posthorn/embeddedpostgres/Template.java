package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** The data folder that every server starts with a copy of: to initialise one takes longer than all the rest. */
final class Template {

    private Template() {}

    /** The one for these binaries, readable by the server's account alone. */
    static Path of(Binaries binaries, Folders folders) throws IOException, InterruptedException {
        return folders.cached("data-" + binaries.key(), folder -> initialise(folder, binaries, folders));
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
