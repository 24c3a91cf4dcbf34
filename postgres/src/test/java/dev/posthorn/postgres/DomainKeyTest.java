package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Effects that the domain knows by a key of its own. */
class DomainKeyTest {

    private static final Schema PUBLIC = new Schema("public");

    private final TestPostgres postgres = TestPostgres.empty();
    private final DomainKey postings = DomainKey.of(PUBLIC, "posting", "transfer_id", "type");

    @BeforeEach
    void createTable() throws SQLException {
        postgres.run(
                "CREATE TABLE posting (transfer_id text, type text, amount numeric, PRIMARY KEY (transfer_id, type))");
    }

    @Test
    void theFirstIsToldFromTheSecondWhichChangesNothing() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            assertThat(postings.insert(connection, posting("t1", "settled", "10")))
                    .isTrue();
            assertThat(postings.insert(connection, posting("t1", "settled", "99")))
                    .isFalse();
            assertThat(postings.insert(connection, posting("t1", "accepted", "10")))
                    .isTrue();
            connection.commit();
        }

        assertThat(postgres.rows("SELECT type, amount FROM posting ORDER BY type"))
                .containsExactly("accepted|10", "settled|10");
    }

    @Test
    void whatIsUndoneIsTheFirstTimeAgain() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            assertThat(postings.insert(connection, posting("t1", "settled", "10")))
                    .isTrue();
            connection.rollback();
            assertThat(postings.insert(connection, posting("t1", "settled", "10")))
                    .isTrue();
        }
    }

    @Test
    void theSecondWaitsForTheFirstAndInsertsIfThatIsUndone() throws Exception {
        try (Connection first = postgres.transaction();
                Connection second = postgres.transaction()) {
            postings.insert(first, posting("t1", "settled", "10"));
            CompletableFuture<Boolean> waiting = CompletableFuture.supplyAsync(() -> {
                try {
                    return postings.insert(second, posting("t1", "settled", "20"));
                } catch (SQLException failed) {
                    throw new IllegalStateException(failed);
                }
            });
            assertThatThrownBy(() -> waiting.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            first.rollback();

            assertThat(waiting.get(20, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void anyNameIsOneNameAndNothingElse() throws SQLException {
        String table = "odd \"; DROP TABLE posting; --";
        String column = "%s) {key} ?\"";
        postgres.run("CREATE TABLE \"" + table.replace("\"", "\"\"") + "\" (\"" + column.replace("\"", "\"\"")
                + "\" text PRIMARY KEY)");
        DomainKey odd = DomainKey.of(PUBLIC, table, column);

        try (Connection connection = postgres.transaction()) {
            assertThat(odd.insert(connection, Map.of(column, "x"))).isTrue();
            assertThat(odd.insert(connection, Map.of(column, "x"))).isFalse();
        }
        assertThat(postgres.rows("SELECT count(*) FROM posting")).containsExactly("0");
    }

    @Test
    void whatCanNotWorkIsSaidWithWhatToDo() throws SQLException {
        try (Connection connection = postgres.transaction()) {
            assertThatThrownBy(() -> postings.insert(connection, Map.of("transfer_id", "t1")))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("[type]");
            assertThatThrownBy(() -> DomainKey.of(PUBLIC, "posting", "transfer_id")
                            .insert(connection, posting("t1", "settled", "1")))
                    .isInstanceOf(PosthornException.class)
                    .hasMessageContaining("no unique index on [transfer_id]");
        }
        assertThatThrownBy(() -> DomainKey.of(PUBLIC, "posting")).hasMessageContaining("no columns");
    }

    private static Map<String, Object> posting(String transfer, String type, String amount) {
        return Map.of("transfer_id", transfer, "type", type, "amount", new BigDecimal(amount));
    }
}
