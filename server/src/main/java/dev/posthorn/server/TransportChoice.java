package dev.posthorn.server;

import dev.posthorn.transport.NameSettings;
import dev.posthorn.transport.Provisioning;
import dev.posthorn.transport.Transport;
import dev.posthorn.transports.file.FileTransport;
import dev.posthorn.transports.memory.MemoryTransport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/**
 * A destination as it is written on the command line or in a file; opened once the relay has a name.
 *
 * @param address as it was given, with its secrets
 */
record TransportChoice(String address, Opener opener) {

    /**
     * What is said beside the address.
     *
     * @param relay the name of the relay
     * @param prefix of the names at the broker
     * @param layout how names and routing keys are made
     * @param names templates in the place of the transport's own
     * @param properties for the broker's client
     * @param provisioning what to do about destinations that are missing
     */
    record Settings(
            String relay,
            String prefix,
            Layout layout,
            NameSettings names,
            Map<String, String> properties,
            Provisioning provisioning) {}

    /** Opens the transport at an address. */
    interface Opener {
        Transport open(Settings settings);
    }

    Transport open(Settings settings) {
        settings.names().checkFor(address);
        return opener.open(settings);
    }

    /** Without the address, which may have a password. */
    @Override
    public String toString() {
        return "TransportChoice";
    }

    /** Reads {@code file:PATH}, {@code memory} and the addresses of brokers. */
    static final class Converter implements ITypeConverter<TransportChoice> {

        private static final String FILE = "file:";
        private static final Pattern SCHEME = Pattern.compile("[A-Za-z][A-Za-z0-9+.-]*://");

        @Override
        public TransportChoice convert(String text) {
            return new TransportChoice(text, opener(text));
        }

        private static Opener opener(String text) {
            if (text.equals("memory")) {
                return settings -> MemoryTransport.builder().build();
            }
            if (text.startsWith(FILE) && text.length() > FILE.length()) {
                return file(Path.of(text.substring(FILE.length())).toAbsolutePath());
            }
            return BrokerChoice.of(text)
                    .orElseThrow(() -> new TypeConversionException("there is no transport \"" + withoutSecrets(text)
                            + "\". Use amqp://USER:PASSWORD@HOST/VHOST, kafka://HOST:PORT, redis://HOST,"
                            + " ipc:FOLDER, sns-sqs://REGION, pubsub://PROJECT, postgresql://HOST/DATABASE, file:PATH, or memory to"
                            + " try it out."));
        }

        /** Keeps the scheme, which is usually the mistake. The text between it and an @ may be a password. */
        private static String withoutSecrets(String text) {
            int at = text.lastIndexOf('@');
            Matcher scheme = SCHEME.matcher(text);
            return at < 0 ? text : (scheme.lookingAt() ? scheme.group() : "") + "…" + text.substring(at);
        }

        private static Opener file(Path path) {
            Path folder = path.getParent();
            if (folder == null || !Files.isDirectory(folder)) {
                throw new TypeConversionException("the folder of " + path + " does not exist. Create it first.");
            }
            if (Files.isDirectory(path)) {
                throw new TypeConversionException(path + " is a folder. Name a file in it.");
            }
            return settings -> new FileTransport(path, settings.relay());
        }
    }
}
