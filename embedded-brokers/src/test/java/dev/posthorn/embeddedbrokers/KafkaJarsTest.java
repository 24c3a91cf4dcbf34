package dev.posthorn.embeddedbrokers;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KafkaJarsTest {

    @TempDir
    private Path root;

    @ParameterizedTest
    @ValueSource(strings = {"target/lib", "target/unchecked/lib"})
    void theyAreFoundHoweverTheTreeWasBuilt(String folder) throws IOException {
        Path built = Files.createDirectories(
                root.resolve("embedded-brokers/kafka-broker").resolve(folder));
        Files.createFile(built.resolve("kafka_2.13-4.3.1.jar"));

        assertThat(KafkaJars.in(root)).contains(built);
    }

    @Test
    void aFolderWithoutABrokerIsNone() throws IOException {
        Files.createDirectories(root.resolve("embedded-brokers/kafka-broker/target/lib"));

        assertThat(KafkaJars.in(root)).isEmpty();
    }
}
