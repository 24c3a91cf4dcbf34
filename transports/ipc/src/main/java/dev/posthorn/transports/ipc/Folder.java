package dev.posthorn.transports.ipc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.attribute.PosixFilePermission.GROUP_WRITE;
import static java.nio.file.attribute.PosixFilePermission.OTHERS_WRITE;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameRules;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The folder that processes meet in, and what is called what there.
 *
 * <p>Whoever may write to it could put a socket of its own in the place of a hub's and get all events; so nobody but its owner
 * may, and its owner must be this user or root.
 */
record Folder(Path path) {

    /** The hub that serves the whole folder. */
    static final String HUB = "hub";

    static final FileAttribute<Set<PosixFilePermission>> OWNERS_FOLDER = rights("rwx------");
    static final FileAttribute<Set<PosixFilePermission>> OWNERS_FILE = rights("rw-------");

    private static final String PEER = "peer-";
    private static final String GROUPS = ".groups";
    /** The kernel has 108 bytes for the path of a socket, of which the JDK uses 106. */
    private static final int LONGEST_PATH = 106;

    private static final NameRules FILE_NAMES =
            new NameRules("the IPC transport", Pattern.compile("[^A-Za-z0-9._-]"), 1, 200, "letters, digits and . _ -");

    private static FileAttribute<Set<PosixFilePermission>> rights(String text) {
        return PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(text));
    }

    /** The hub of one subscriber. */
    static String peer(String subscriber) {
        return PEER + subscriber;
    }

    Path socket(String hub) {
        Path socket = path.resolve(hub + ".sock");
        int bytes = socket.toString().getBytes(UTF_8).length;
        if (bytes > LONGEST_PATH) {
            throw new PosthornException("The path of a Unix domain socket has at most " + LONGEST_PATH
                    + " bytes, but this one has " + bytes + ": " + socket
                    + ". Choose a folder with a shorter path, or a shorter name for the subscriber.");
        }
        return socket;
    }

    /** Where the hub's socket is made before it is moved to its place. The socket's path there is as long as the shortest. */
    Path cradle(String hub) {
        return path.resolve(String.format(".n%04x", hub.hashCode() & 0xFFFF));
    }

    Path lock(String hub) {
        return path.resolve(hub + ".lock");
    }

    Path groups(String hub) {
        return path.resolve(hub + GROUPS);
    }

    /** Dead letters of a domain; each hub writes files of its own. */
    Path deadLetters(String hub, String domain) {
        String name = "dlq-" + FILE_NAMES.fit(domain);
        return path.resolve((hub.equals(HUB) ? name : name + "." + hub.substring(PEER.length())) + ".jsonl");
    }

    /** The hubs of all subscribers that were ever here and are not forgotten. */
    List<String> peers() throws IOException {
        try (var files = Files.newDirectoryStream(path, PEER + "*" + GROUPS)) {
            List<String> peers = new ArrayList<>();
            files.forEach(file -> {
                String name = String.valueOf(file.getFileName());
                peers.add(name.substring(0, name.length() - GROUPS.length()));
            });
            return peers;
        }
    }

    /** What can be told without making anything. */
    void addFaults(List<String> faults) {
        try {
            Path unused = socket(HUB);
            if (Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
                check();
            }
        } catch (PosthornException fault) {
            faults.add("folder: " + fault.getMessage());
        } catch (IOException unreadable) {
            faults.add("folder: " + path + " can not be looked at: " + unreadable);
        }
    }

    void create() throws IOException {
        if (!Files.isDirectory(path)) {
            Path parent = path.getParent();
            if (parent != null) {
                Files.createDirectories(parent);
            }
            try {
                Files.createDirectory(path, OWNERS_FOLDER);
            } catch (FileAlreadyExistsException anotherWasFaster) {
                check();
            }
        }
        check();
    }

    /** Throws {@link PosthornException} if somebody else could put something here. */
    void check() throws IOException {
        if (!Files.isDirectory(path)) {
            throw new PosthornException(path + " is no folder");
        }
        PosixFileAttributes attributes = Files.readAttributes(path, PosixFileAttributes.class);
        Set<PosixFilePermission> rights = attributes.permissions();
        if (rights.contains(GROUP_WRITE) || rights.contains(OTHERS_WRITE)) {
            throw new PosthornException(path + " may be written to by others (" + PosixFilePermissions.toString(rights)
                    + "), who could take the place of a hub. Choose a folder of its own, or run: chmod 700 " + path);
        }
        int owner = (Integer) Files.getAttribute(path, "unix:uid");
        if (owner != 0 && owner != ownUser()) {
            throw new PosthornException(
                    path + " belongs to another user, " + attributes.owner().getName());
        }
    }

    private int ownUser() throws IOException {
        Path self = Path.of("/proc/self");
        if (Files.exists(self)) {
            return (Integer) Files.getAttribute(self, "unix:uid");
        }
        Path probe = Files.createTempFile("posthorn", null);
        try {
            return (Integer) Files.getAttribute(probe, "unix:uid");
        } finally {
            Files.delete(probe);
        }
    }
}
