package dev.posthorn.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryCommandTest {

    @TempDir
    private Path folder;

    @Test
    void typesAreListedForPeopleAndForPrograms() throws IOException {
        String file = file("""
                types:
                  - {domain: orders, type: order.placed, aggregate: order, retry: fixed, mode: warn}
                  - {domain: orders, type: order.paid, version: 2, schema: paid.json}
                """);

        assertThat(Cli.run("registry", "list", "--file", file).out().lines())
                .containsExactly(
                        "orders/order.paid version 2, payload schema paid.json",
                        "orders/order.placed version 1, aggregate order, payload any, retry fixed (25 attempts), mode"
                                + " warn");
        JsonNode types =
                Cli.run("registry", "list", "--file", file, "--json").json().path("types");
        assertThat(types.get(0).path("contract").asText()).isEqualTo("schema paid.json");
        assertThat(types.get(1).path("aggregate_type").asText()).isEqualTo("order");
        assertThat(types.get(1).path("mode").asText()).isEqualTo("warn");
    }

    @Test
    void faultsAreToldAtOnce() throws IOException {
        String file = file("types: [{domain: orders}, {type: x, domain: y, version: none}]");

        Cli told = Cli.run("registry", "check", "--file", file);

        assertThat(told.code()).isEqualTo(1);
        assertThat(told.out()).contains("types.yaml:1: it has no type", "version = \"none\"");
        assertThat(Cli.run("registry", "check", "--file", file, "--json").json().path("faults"))
                .hasSize(2);
    }

    @Test
    void aConfigurationNamesItsRegistry() throws IOException {
        Path config = Files.writeString(
                folder.resolve("posthorn.yaml"),
                "registry: {file: '" + file("types: [{domain: orders, type: order.placed}]") + "'}\n");

        assertThat(Cli.run("registry", "check", "--config", config.toString()).out())
                .startsWith("All is well: 1 event types.");
        Files.writeString(config, "registry: {mode: warn}\n");
        assertThat(Cli.run("registry", "check", "--config", config.toString()).err())
                .contains("names no registry");
        assertThat(Cli.run("config", "check", "--config", config.toString()).out())
                .contains("registry.mode = \"warn\": there is no registry. Set registry.file too");
    }

    @Test
    void faultsOfARegistryAreFaultsOfTheConfiguration() throws IOException {
        Path config = Files.writeString(
                folder.resolve("posthorn.yaml"), "registry: {file: '" + file("types: [{domain: orders}]") + "'}\n");

        assertThat(Cli.run("config", "check", "--config", config.toString()).out())
                .contains("posthorn.yaml:1: registry.file", "types.yaml:1: it has no type");
    }

    private String file(String text) throws IOException {
        Files.writeString(folder.resolve("paid.json"), "{\"type\": \"object\"}");
        return Files.writeString(folder.resolve("types.yaml"), text).toString();
    }
}
