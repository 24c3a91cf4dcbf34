package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** A copy of a running server's data, ready to follow that server as its standby. */
final class BaseBackup {

    private BaseBackup() {}

    /** Takes the copy into a folder of its own; the caller removes it. */
    static Path of(int port, Binaries binaries, Folders folders) throws IOException, InterruptedException {
        Path program = binaries.folder().resolve("pg_basebackup");
        if (!Files.isExecutable(program)) {
            throw new EmbeddedPostgresException("No pg_basebackup in " + binaries.folder()
                    + ", so no standby can be made. Name an installed server with binaries(path).");
        }
        Path copy = Files.createDirectory(folders.instance());
        Files.setPosixFilePermissions(copy, PosixFilePermissions.fromString("rwx------"));
        folders.account().own(copy);
        try {
            List<String> backup = List.of(
                    program.toString(),
                    "--pgdata=" + copy,
                    "--dbname=host=127.0.0.1 port=" + port + " user=postgres",
                    "--write-recovery-conf",
                    "--wal-method=stream",
                    "--checkpoint=fast",
                    "--no-sync");
            Command.run(folders.account().command(backup), Path.of("/"));
        } catch (IOException | InterruptedException e) {
            Folders.delete(copy);
            throw e;
        }
        return copy;
    }
}
