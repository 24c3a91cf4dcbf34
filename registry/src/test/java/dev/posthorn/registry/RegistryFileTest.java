package dev.posthorn.registry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RegistryFileTest {

    @TempDir
    private Path folder;

    @Test
    void aFileSaysWhatCodeCan() throws IOException {
        Files.writeString(folder.resolve("paid.json"), "{\"type\": \"object\"}");

        Registry registry = read("""
                types:
                  - {domain: orders, type: order.placed, aggregate: order, retry: exponential, mode: warn,
                     topic: '{prefix}-placed'}
                  - {domain: orders, type: order.paid, version: 2, schema: paid.json}
                  - {domain: orders, type: order.touched, payload: optional}
                """).registry(Mode.STRICT);

        assertThat(registry.types()).hasSize(3);
        EventType paid = registry.types().get(0);
        assertThat(paid.name()).isEqualTo("orders/order.paid version 2");
        assertThat(paid.contract().describe()).isEqualTo("schema paid.json");
        EventType placed = registry.types().get(1);
        assertThat(placed.aggregateType()).isEqualTo("order");
        assertThat(placed.policy().mode()).contains(Mode.WARN);
        assertThat(placed.policy().retry()).isPresent();
        assertThat(registry.topics().all("shop")).containsExactly(Map.entry("shop-placed", "orders"));
        assertThat(registry.types().get(2).contract().describe()).isEqualTo("optional");
    }

    @Test
    void everyFaultIsToldAtOnceWithItsLine() throws IOException {
        RegistryFile file = read("""
                types:
                  - {domain: orders}
                  - domain: orders
                    type: order.paid
                    version: 0
                    schema: none.json
                    retry: sometimes
                    mood: good
                  - just a word
                  - {domain: a, type: b}
                  - {domain: a, type: b}
                """);

        assertThat(file.faults())
                .satisfiesExactly(
                        one -> assertThat(one).isEqualTo("types.yaml:2: it has no type"),
                        one -> assertThat(one)
                                .startsWith("types.yaml:8: there is no key mood; here may stand: aggregate"),
                        one -> assertThat(one).contains("types.yaml:5: version = \"0\": write a whole number"),
                        one -> assertThat(one)
                                .contains("types.yaml:6: schema = \"none.json\": the file can not be read"),
                        one -> assertThat(one).contains("types.yaml:7: retry = \"sometimes\""),
                        one -> assertThat(one).contains("types.yaml:9: this is no event type"),
                        one -> assertThat(one).contains("types.yaml:11: a/b version 1 is there twice"));
        assertThatThrownBy(() -> file.registry(Mode.STRICT))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("types.yaml:2");
    }

    @Test
    void allVersionsOfATypeShareOneTopic() throws IOException {
        Registry two = read("""
                types:
                  - {domain: orders, type: order.paid, topic: money}
                  - {domain: orders, type: order.paid, version: 2, topic: more-money}
                """).registry(Mode.STRICT);

        assertThatThrownBy(two::topics).hasMessageContaining("orders/order.paid has the topics \"money\" and");
        assertThat(read("types: [{domain: a, type: b, topic: '{tenant}'}]").faults())
                .singleElement()
                .asString()
                .contains("topic = \"{tenant}\"", "is not the topic of an event type");
    }

    @Test
    void whatIsNoRegistryIsSaidToBeNone() throws IOException {
        assertThat(read("types: [").faults()).singleElement().asString().contains("this is not YAML");
        assertThat(read("").faults()).singleElement().asString().contains("write one key, types");
        assertThat(read("types: 5").faults()).singleElement().asString().contains("types is no list");
        assertThat(RegistryFile.read(folder.resolve("absent.yaml")).faults())
                .singleElement()
                .asString()
                .contains("name a file that exists");
    }

    private RegistryFile read(String text) throws IOException {
        return RegistryFile.read(Files.writeString(folder.resolve("types.yaml"), text));
    }
}
