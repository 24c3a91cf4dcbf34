package dev.posthorn.embeddedbrokers;

import dev.posthorn.event.PosthornException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds the jars of a Kafka broker, which are too large to be shipped with anything. */
final class KafkaJars {

    private static final Path IN_TREE = Path.of("embedded-brokers", "kafka-broker", "target");

    /** As they are built to be tested, and only to be run. */
    private static final List<Path> BUILT =
            List.of(IN_TREE.resolve("lib"), IN_TREE.resolve("unchecked").resolve("lib"));

    private KafkaJars() {}

    /** The folder of the system property; else that of the tree in which this runs, or from which it was built. */
    static Path find() {
        String named = System.getProperty(EmbeddedKafka.LIB);
        if (named != null) {
            return Optional.of(Path.of(named).toAbsolutePath())
                    .filter(KafkaJars::hasBroker)
                    .orElseThrow(() -> new PosthornException("There is no kafka_*.jar in " + named
                            + ", which the system property " + EmbeddedKafka.LIB + " names."));
        }
        return Stream.of(Optional.of(Path.of("")), ownPlace())
                .flatMap(Optional::stream)
                .flatMap(KafkaJars::upwards)
                .flatMap(folder -> in(folder).stream())
                .findFirst()
                .orElseThrow(
                        () -> new PosthornException("The jars of a Kafka broker are not there. In the project's tree"
                                + " they come with: ./mvnw -pl embedded-brokers -am package -DskipTests; elsewhere name a"
                                + " folder that has them by the system property " + EmbeddedKafka.LIB + "."));
    }

    /** Those of a tree with this root, if it is one. */
    static Optional<Path> in(Path root) {
        return BUILT.stream().map(root::resolve).filter(KafkaJars::hasBroker).findFirst();
    }

    private static Stream<Path> upwards(Path from) {
        List<Path> folders = new ArrayList<>();
        for (Path folder = from.toAbsolutePath(); folder != null; folder = folder.getParent()) {
            folders.add(folder);
        }
        return folders.stream();
    }

    private static Optional<Path> ownPlace() {
        try {
            CodeSource source = KafkaJars.class.getProtectionDomain().getCodeSource();
            return source == null
                    ? Optional.empty()
                    : Optional.of(Path.of(source.getLocation().toURI()));
        } catch (URISyntaxException | IllegalArgumentException noFile) {
            return Optional.empty();
        }
    }

    private static boolean hasBroker(Path folder) {
        String[] jars = folder.toFile().list((any, name) -> name.startsWith("kafka_") && name.endsWith(".jar"));
        return jars != null && jars.length > 0 && Files.isDirectory(folder);
    }
}
