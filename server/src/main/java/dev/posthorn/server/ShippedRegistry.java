package dev.posthorn.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystemAlreadyExistsException;
import java.nio.file.FileSystems;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Files of event types that are shipped with profiles, and those of the user. */
final class ShippedRegistry {

    /** Begins the name of a shipped one. */
    static final String PREFIX = "profile:";

    private ShippedRegistry() {}

    /** The file of this name; {@code profile:licenses} is the one of the profile licenses. */
    static Path path(String name) {
        if (!name.startsWith(PREFIX)) {
            return Path.of(name);
        }
        @Nullable
        URL found = ShippedRegistry.class.getResource("profiles/" + name.substring(PREFIX.length()) + "/types.yaml");
        return found == null ? Path.of(name) : inJarOrFolder(found);
    }

    private static Path inJarOrFolder(URL found) {
        try {
            URI uri = found.toURI();
            if (uri.getScheme().equals("jar")) {
                open(uri);
            }
            return Path.of(uri);
        } catch (URISyntaxException | IOException unreadable) {
            throw new UncheckedIOException(new IOException("The jar of Posthorn cannot be read: " + found, unreadable));
        }
    }

    /** Stays open: schemas beside the file are read later. */
    @SuppressWarnings("StreamResourceLeak")
    private static void open(URI uri) throws IOException {
        try {
            var unused = FileSystems.newFileSystem(uri, Map.of());
        } catch (FileSystemAlreadyExistsException before) {
            // It was opened for another file.
        }
    }
}
