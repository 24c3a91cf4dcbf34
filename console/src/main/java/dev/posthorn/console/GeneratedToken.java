package dev.posthorn.console;

import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The admin token that a process generates at start when no token is configured. It is valid until the process ends.
 *
 * <p>The process prints a link that carries the token in its fragment, which no browser sends to a server or a proxy. A file in
 * the home folder of the process's user, readable by that user alone, holds the token for commands on the same host.
 */
public final class GeneratedToken implements AutoCloseable {

    /** The name that is recorded with every change. */
    public static final String NAME = "generated";

    private static final Logger LOG = LoggerFactory.getLogger(GeneratedToken.class);
    /** As many as nobody can guess; more would make the link longer than a line of a terminal. */
    private static final int BYTES = 16;

    private static final int PORT_OF_HTTP = 80;
    private static final int PORT_OF_HTTPS = 443;

    private final String token = Tokens.random(BYTES);
    private volatile Optional<Path> file = Optional.empty();

    /** Returns the one token of the process. */
    public Tokens tokens() {
        return Tokens.of(List.of(new Tokens.Token(NAME, Role.ADMIN, Tokens.hashOf(token))));
    }

    /** Returns the address of the page with the token. */
    public String link(String page) {
        return page + "#token=" + token;
    }

    /** Writes the token to the file of this port. Without a file the link still works, so a failure is only logged. */
    public void keep(int port) {
        Path place = place(port);
        try {
            Files.createDirectories(place.getParent(), onlyOwner("rwx------"));
            Files.deleteIfExists(place);
            Files.createFile(place, onlyOwner("rw-------"));
            Files.writeString(place, token + "\n", StandardOpenOption.WRITE);
            file = Optional.of(place);
        } catch (IOException | RuntimeException unwritable) {
            LOG.warn("Cannot write the console token to {}: {}", place, unwritable.toString());
        }
    }

    /** Returns the token that a process of the same user on this host keeps for this address, if there is one. */
    public static Optional<String> of(URI url) {
        try {
            Path place = place(portOf(url));
            return isHere(url) && Files.isReadable(place)
                    ? Optional.of(Files.readString(place).strip()).filter(text -> !text.isEmpty())
                    : Optional.empty();
        } catch (IOException unreadable) {
            LOG.debug("Cannot read the console token", unreadable);
            return Optional.empty();
        }
    }

    /** Removes the file. */
    @Override
    public void close() {
        try {
            if (file.isPresent()) {
                Files.deleteIfExists(file.get());
            }
        } catch (IOException kept) {
            LOG.debug("Cannot remove the console token", kept);
        }
    }

    private static boolean isHere(URI url) {
        try {
            return InetAddress.getByName(url.getHost()).isLoopbackAddress();
        } catch (UnknownHostException elsewhere) {
            return false;
        }
    }

    private static int portOf(URI url) {
        if (url.getPort() >= 0) {
            return url.getPort();
        }
        return "https".equals(url.getScheme()) ? PORT_OF_HTTPS : PORT_OF_HTTP;
    }

    private static Path place(int port) {
        return Path.of(System.getProperty("user.home", "."), ".posthorn", "console-" + port + ".token");
    }

    private static FileAttribute<?>[] onlyOwner(String permissions) {
        return FileSystems.getDefault().supportedFileAttributeViews().contains("posix")
                ? new FileAttribute<?>[] {
                    PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(permissions))
                }
                : new FileAttribute<?>[0];
    }
}
