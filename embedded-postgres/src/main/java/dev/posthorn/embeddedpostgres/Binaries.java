package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The programs of one Postgres version.
 *
 * @param folder where {@code postgres} and {@code initdb} are
 * @param key differs whenever the programs differ
 */
record Binaries(Path folder, String key) {

    private static final String ARCHIVE = "/postgres-linux-x86_64.txz";
    private static final Path DEBIAN = Path.of("/usr/lib/postgresql");

    /** Reading the archive takes a tenth of a second, so once in a process is enough. */
    private static @Nullable String archiveKey;

    /** Those in the jar where they run, else the machine's newest. */
    static Binaries choose(Folders folders) throws IOException, InterruptedException {
        if (bundledRunHere()) {
            return bundled(folders);
        }
        return at(installed().stream()
                .findFirst()
                .orElseThrow(() -> new EmbeddedPostgresException(
                        "No Postgres for " + System.getProperty("os.name") + " " + System.getProperty("os.arch")
                                + ": the bundled one is for Linux on amd64, and none is installed on the PATH or below "
                                + DEBIAN + ". Install a Postgres server, or name its folder with binaries(path).")));
    }

    /** Those in this folder. */
    static Binaries at(Path folder) throws IOException {
        Path postgres = folder.resolve("postgres");
        if (!Files.isExecutable(postgres) || !Files.isExecutable(folder.resolve("initdb"))) {
            throw new EmbeddedPostgresException(
                    "No Postgres server in " + folder + ": name the folder that holds postgres and initdb.");
        }
        Path real = postgres.toRealPath();
        String identity = real + " " + Files.size(real) + " " + Files.getLastModifiedTime(real);
        return new Binaries(folder, hex(sha256().digest(identity.getBytes(StandardCharsets.UTF_8))));
    }

    /** Folders of the servers installed on this machine, newest Debian version first, then those on the PATH. */
    static List<Path> installed() throws IOException {
        Stream<Path> debian = Stream.empty();
        if (Files.isDirectory(DEBIAN)) {
            try (Stream<Path> versions = Files.list(DEBIAN)) {
                debian = versions
                        .filter(version -> version.getFileName().toString().matches("\\d+"))
                        .sorted(Comparator.comparing((Path version) ->
                                        Integer.parseInt(version.getFileName().toString()))
                                .reversed())
                        .map(version -> version.resolve("bin"))
                        .toList()
                        .stream();
            }
        }
        return Stream.concat(debian, Command.path())
                .filter(folder -> Files.isExecutable(folder.resolve("postgres")))
                .filter(folder -> Files.isExecutable(folder.resolve("initdb")))
                .toList();
    }

    private static boolean bundledRunHere() {
        return System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")
                && Binaries.class.getResource(ARCHIVE) != null;
    }

    private static Binaries bundled(Folders folders) throws IOException, InterruptedException {
        String key = archiveKey();
        Path unpacked = folders.cached("postgres-" + key, folder -> {
            try (InputStream archive = openArchive()) {
                Archive.unpack(archive, folder);
            }
        });
        return new Binaries(unpacked.resolve("bin"), key);
    }

    private static synchronized String archiveKey() throws IOException {
        String known = archiveKey;
        if (known == null) {
            MessageDigest digest = sha256();
            try (InputStream archive = new DigestInputStream(openArchive(), digest)) {
                archive.transferTo(OutputStream.nullOutputStream());
            }
            known = hex(digest.digest());
            archiveKey = known;
        }
        return known;
    }

    private static InputStream openArchive() throws IOException {
        InputStream archive = Binaries.class.getResourceAsStream(ARCHIVE);
        if (archive == null) {
            throw new IOException("No " + ARCHIVE + " on the class path");
        }
        return archive;
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java platform has SHA-256", e);
        }
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest).substring(0, 24);
    }
}
