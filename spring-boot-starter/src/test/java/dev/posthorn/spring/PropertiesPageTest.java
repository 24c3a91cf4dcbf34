package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.posthorn.spring.PosthornConsoleProperties.TokenProperties;
import dev.posthorn.spring.PosthornProperties.ConsumerProperties;
import dev.posthorn.spring.PosthornProperties.Destination;
import dev.posthorn.spring.PosthornProperties.RouteProperties;
import java.io.IOException;
import java.lang.reflect.Parameter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.DefaultValue;

/** The table of properties, and what IDEs complete, are those that there are. */
class PropertiesPageTest {

    private static final Path PAGE = Path.of("..", "docs", "spring-boot.md");
    private static final Path METADATA = Path.of("target", "classes", "META-INF", "spring-configuration-metadata.json");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| (`posthorn\\.[^|]+) \\| ([^|]+) \\| ([^|]+) \\|$");
    private static final String NONE = "–";

    /** What a map of properties has for each name. */
    private static final Map<String, Class<? extends Record>> BY_NAME = Map.of(
            "posthorn.transports", Destination.class,
            "posthorn.routes", RouteProperties.class,
            "posthorn.consumers", ConsumerProperties.class,
            "posthorn.console.tokens", TokenProperties.class);

    private static JsonNode metadata() throws IOException {
        return new ObjectMapper().readTree(METADATA.toFile()).path("properties");
    }

    /** Each with its default, or a dash. */
    private static Map<String, String> properties() throws IOException {
        Map<String, String> found = new TreeMap<>();
        for (JsonNode property : metadata()) {
            String name = property.path("name").asText();
            Class<? extends Record> entries = BY_NAME.get(name);
            if (entries == null) {
                found.put(name, property.path("defaultValue").asText(NONE));
            } else {
                found.putAll(below(name + ".NAME", entries));
            }
        }
        return found;
    }

    private static Map<String, String> below(String prefix, Class<?> type) {
        Map<String, String> found = new TreeMap<>();
        for (Parameter parameter : type.getDeclaredConstructors()[0].getParameters()) {
            String name = prefix + "."
                    + parameter.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
            if (parameter.getType().isRecord()) {
                found.putAll(below(name, parameter.getType()));
            } else {
                DefaultValue standard = parameter.getAnnotation(DefaultValue.class);
                boolean given = standard != null && standard.value().length == 1;
                found.put(name + (parameter.getType() == Map.class ? ".*" : ""), given ? standard.value()[0] : NONE);
            }
        }
        return found;
    }

    /** Names of the page; one that begins with a dot goes on where the first of its row does. The default is empty if unclear. */
    private static Map<String, String> onThePage() throws IOException {
        Map<String, String> found = new LinkedHashMap<>();
        Matcher rows = ROW.matcher(Files.readString(PAGE));
        while (rows.find()) {
            List<String> names = cells(rows.group(1));
            List<String> standards = cells(rows.group(2));
            String first = names.get(0);
            String prefix = first.substring(0, first.lastIndexOf('.'));
            for (int i = 0; i < names.size(); i++) {
                String standard = standards.equals(List.of(NONE))
                        ? NONE
                        : standards.size() == names.size() ? standards.get(i) : "";
                found.put(names.get(i).startsWith(".") ? prefix + names.get(i) : names.get(i), standard);
            }
        }
        return found;
    }

    private static List<String> cells(String cell) {
        return Arrays.stream(cell.replace("`", "").split(", ", -1)).toList();
    }

    private static boolean covers(String written, String property) {
        return written.equals(property)
                || (written.endsWith(".*") && property.startsWith(written.substring(0, written.length() - 1)));
    }

    @Test
    void everyPropertyIsOnThePage() throws IOException {
        assertThat(properties().keySet())
                .hasSizeGreaterThan(50)
                .allSatisfy(property ->
                        assertThat(onThePage().keySet()).as(property).anyMatch(written -> covers(written, property)));
    }

    @Test
    void thePageHasNoPropertyThatIsNone() throws IOException {
        assertThat(onThePage().keySet())
                .allSatisfy(written ->
                        assertThat(properties().keySet()).as(written).anyMatch(property -> covers(written, property)));
    }

    @Test
    void theDefaultsOnThePageAreThoseOfTheCode() throws IOException {
        Map<String, String> properties = properties();
        Map<String, String> page = onThePage();
        page.entrySet().removeIf(row -> row.getValue().isEmpty() || !properties.containsKey(row.getKey()));

        assertThat(page)
                .hasSizeGreaterThan(30)
                .allSatisfy((name, standard) -> assertThat(standard).as(name).isEqualTo(properties.get(name)));
    }

    @Test
    void idesHaveADescriptionForEach() throws IOException {
        assertThat(metadata())
                .allSatisfy(property -> assertThat(property.path("description").asText())
                        .as(property.path("name").asText())
                        .endsWith("."));
    }
}
