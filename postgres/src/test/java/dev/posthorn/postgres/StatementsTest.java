package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every statement that ships is one the server understands, and says at its head what it costs. */
class StatementsTest {

    private static final Schema ODD = new Schema("Odd \"name\"");

    private static TestPostgres postgres;

    @BeforeAll
    static void createDatabase() {
        postgres = TestPostgres.empty();
        new Migrations(ODD).migrate(postgres.dataSource());
    }

    static List<String> names() throws IOException, URISyntaxException {
        Path folder = Path.of(Sql.class.getResource("statements").toURI());
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString().replace(".sql", ""))
                    .sorted()
                    .toList();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void theServerUnderstandsIt(String name) throws SQLException {
        try (Connection connection = postgres.transaction();
                PreparedStatement statement = connection.prepareStatement(Sql.load(name, ODD))) {
            assertThatCode(statement::getParameterMetaData).doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource("names")
    void itsHeaderSaysWhatItCosts(String name) {
        assertThat(Sql.resource("statements/" + name + ".sql"))
                .startsWith("-- ")
                .containsIgnoringCase("lock")
                .containsIgnoringCase("index")
                .containsIgnoringCase("row");
    }
}
