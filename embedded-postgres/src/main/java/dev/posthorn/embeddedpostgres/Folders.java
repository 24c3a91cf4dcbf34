package dev.posthorn.embeddedpostgres;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Where things lie on disk: a cache for the user, a folder of its own for each server. */
final class Folders {

    private static final String OURS_FOR_ALL_TO_PASS = "rwx--x--x";

    private final Path cache;
    private final Path temporary;
    private final Account account;

    private Folders(Path cache, Path temporary, Account account) {
        this.cache = cache;
        this.temporary = temporary;
        this.account = account;
    }

    /** Finds folders that this process may write and the server's account may reach. */
    static Folders find() throws IOException {
        Path probe = Files.createTempDirectory("posthorn-postgres-");
        Account account;
        Object uid;
        try {
            account = Account.forOwnerOf(probe);
            uid = Files.getAttribute(probe, "unix:uid");
        } finally {
            Files.delete(probe);
        }
        List<Path> temporary = List.of(Path.of(System.getProperty("java.io.tmpdir")), Path.of("/tmp"));
        Stream<Path> caches =
                Stream.concat(userCaches(), temporary.stream().map(folder -> folder.resolve("posthorn-cache-" + uid)));
        return new Folders(
                firstUsable(caches.toList(), account, uid),
                temporary.stream()
                        .filter(folder -> usable(folder, account))
                        .findFirst()
                        .orElseThrow(() -> unusable(temporary)),
                account);
    }

    Account account() {
        return account;
    }

    /**
     * The folder of this name in the cache, filled if it is not there yet.
     *
     * <p>It appears at once and complete: several processes may fill it at the same time, the first one wins and the
     * others use its work.
     */
    Path cached(String name, Fill fill) throws IOException, InterruptedException {
        Path target = cache.resolve(name);
        if (Files.isDirectory(target)) {
            return target;
        }
        Path draft = passable(Files.createTempDirectory(cache, "draft-"));
        try {
            Path content = Files.createDirectory(draft.resolve("content"));
            fill.into(content);
            rename(content, target);
        } finally {
            delete(draft);
        }
        return target;
    }

    /** A folder for one server, not made yet; no one can guess its name. */
    Path instance() {
        return temporary.resolve("posthorn-postgres-" + ProcessHandle.current().pid() + "-" + UUID.randomUUID());
    }

    /** Removes a folder with all that is in it. */
    static void delete(Path folder) throws IOException {
        if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(folder)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }

    private static void rename(Path content, Path target) throws IOException {
        try {
            Files.move(content, target);
        } catch (IOException e) {
            if (!Files.isDirectory(target)) {
                throw e;
            }
        }
    }

    private static Stream<Path> userCaches() {
        return Stream.of(at(System.getenv("XDG_CACHE_HOME"), ""), at(System.getProperty("user.home"), ".cache"))
                .flatMap(List::stream)
                .map(folder -> folder.resolve("posthorn"));
    }

    private static List<Path> at(@Nullable String folder, String below) {
        return folder == null || !folder.startsWith("/")
                ? List.of()
                : List.of(Path.of(folder).resolve(below));
    }

    private static Path firstUsable(List<Path> candidates, Account account, Object uid) {
        for (Path candidate : candidates) {
            if (usable(existing(candidate), account) && makeOurs(candidate, uid)) {
                return candidate;
            }
        }
        throw unusable(candidates);
    }

    private static Path existing(Path folder) {
        Path above = folder.getParent();
        return Files.isDirectory(folder) || above == null ? folder : existing(above);
    }

    /** Guards against a folder that someone else laid in a shared place for us to run programs from. */
    private static boolean makeOurs(Path folder, Object uid) {
        try {
            if (!Files.isDirectory(folder)) {
                passable(Files.createDirectories(folder));
            }
            return Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)
                    && uid.equals(Files.getAttribute(folder, "unix:uid", LinkOption.NOFOLLOW_LINKS))
                    && Files.isWritable(folder);
        } catch (IOException e) {
            return false;
        }
    }

    private static boolean usable(Path folder, Account account) {
        try {
            return Files.isWritable(folder) && account.reaches(folder);
        } catch (IOException e) {
            return false;
        }
    }

    private static Path passable(Path folder) throws IOException {
        return Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString(OURS_FOR_ALL_TO_PASS));
    }

    private static EmbeddedPostgresException unusable(List<Path> candidates) {
        return new EmbeddedPostgresException("No folder for the embedded Postgres server: " + candidates
                + " cannot be written by this user or not be reached by the user that the server runs as."
                + " Point XDG_CACHE_HOME and -Djava.io.tmpdir to folders that can.");
    }

    /** Writes the content of a cached folder. */
    interface Fill {
        void into(Path folder) throws IOException, InterruptedException;
    }
}
