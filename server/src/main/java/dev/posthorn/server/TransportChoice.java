package dev.posthorn.server;

import dev.posthorn.transport.Transport;
import dev.posthorn.transports.file.FileTransport;
import dev.posthorn.transports.memory.MemoryTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A destination as it is written on the command line; opened once the relay has a name. */
interface TransportChoice {

    Transport open(String relay);

    /** Reads {@code file:PATH} and {@code memory}. */
    final class Converter implements ITypeConverter<TransportChoice> {

        private static final String FILE = "file:";

        @Override
        public TransportChoice convert(String text) {
            if (text.equals("memory")) {
                return relay -> MemoryTransport.builder().build();
            }
            if (text.startsWith(FILE) && text.length() > FILE.length()) {
                return file(Path.of(text.substring(FILE.length())).toAbsolutePath());
            }
            throw new TypeConversionException(
                    "there is no transport \"" + text + "\". Use file:PATH, or memory to try it out.");
        }

        private static TransportChoice file(Path path) {
            Path folder = path.getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new TypeConversionException("the folder of " + path + " does not exist. Create it first.");
            }
            if (Files.isDirectory(path)) {
                throw new TypeConversionException(path + " is a folder. Name a file in it.");
            }
            return relay -> new FileTransport(path, relay);
        }
    }
}
