package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.postgres.PlannedStatement.Settings;
import dev.posthorn.relay.Route;
import java.io.IOException;
import java.net.URISyntaxException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Every statement uses the indexes that its header names and reads no table whole that grows, whatever is known of it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PlansCase {

    private static final int ROWS = TestSize.of(10_000, 80_000, 2_000_000);
    private static final Pattern NAME = Pattern.compile("[a-z]+(_[a-z]+)+");
    private static final Pattern SEQ_SCAN = Pattern.compile("Seq Scan on (?:posthorn\\.)?(\\w+)");
    private static final Pattern INSERT = Pattern.compile("Insert on (?:posthorn\\.)?(\\w+)");

    /** What the planner knows, and what is true. */
    enum Knowledge {
        EMPTY {
            @Override
            void prepare(TestPostgres postgres) {
                // as migrated
            }
        },
        FULL_AND_ANALYSED {
            @Override
            void prepare(TestPostgres postgres) throws SQLException {
                LogFiller.fill(postgres, ROWS);
                postgres.run("VACUUM ANALYZE");
            }
        },
        FULL_AND_NEVER_ANALYSED {
            @Override
            void prepare(TestPostgres postgres) throws SQLException {
                LogFiller.fill(postgres, ROWS);
            }
        },
        FULL_BY_ONE_TRANSACTION_AND_ANALYSED {
            @Override
            void prepare(TestPostgres postgres) throws SQLException {
                LogFiller.fillAtOnce(postgres, ROWS);
                postgres.run("VACUUM ANALYZE");
            }
        },
        FULL_AND_ANALYSED_WHILE_EMPTY {
            @Override
            void prepare(TestPostgres postgres) throws SQLException {
                postgres.run("VACUUM ANALYZE");
                LogFiller.fill(postgres, ROWS);
            }
        };

        abstract void prepare(TestPostgres postgres) throws SQLException;
    }

    private EmbeddedPostgres server;

    /** Started without autovacuum, so that the planner knows what the test lets it know. */
    abstract EmbeddedPostgres start();

    @BeforeAll
    void startServer() {
        server = start();
    }

    @AfterAll
    void stopServer() {
        server.close();
    }

    EmbeddedPostgres server() {
        return server;
    }

    @Test
    void everyStatementIsListed() throws IOException, URISyntaxException {
        assertThat(PlannedStatement.all().keySet()).containsExactlyElementsOf(StatementsTest.names());
    }

    @ParameterizedTest
    @EnumSource
    void everyStatementUsesTheIndexesItNames(Knowledge knowledge) throws SQLException {
        TestPostgres postgres = database(knowledge);
        Set<String> indexes =
                new HashSet<>(postgres.rows("SELECT indexname FROM pg_indexes" + " WHERE schemaname = 'posthorn'"));
        List<String> faults = new ArrayList<>();
        try (Connection connection = postgres.transaction()) {
            for (Map.Entry<String, PlannedStatement> entry :
                    PlannedStatement.all().entrySet()) {
                for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
                    for (String sql : forms(entry.getKey(), entry.getValue())) {
                        String plan = explain(connection, sql, entry.getValue(), mode);
                        Set<String> missing = named(entry.getKey(), indexes);
                        missing.removeAll(checkedByInserts(connection, plan));
                        faultsOf(plan, entry.getValue(), missing)
                                .forEach(fault -> faults.add(entry.getKey() + " with " + mode + fault + "\n" + plan));
                    }
                }
            }
        }
        assertThat(faults).isEmpty();
    }

    // ---- hands

    private static List<String> faultsOf(String plan, PlannedStatement statement, Set<String> wanted) {
        List<String> faults = new ArrayList<>();
        wanted.stream()
                .filter(index -> !plan.matches("(?s).*\\b" + index + "\\b.*"))
                .forEach(index -> faults.add(" does not use " + index));
        SEQ_SCAN.matcher(plan)
                .results()
                .map(scan -> scan.group(1))
                .filter(table -> !statement.mayReadWhole(table))
                .forEach(table -> faults.add(" reads " + table + " whole"));
        if (plan.contains("JIT:")) {
            faults.add(" is compiled");
        }
        return faults;
    }

    TestPostgres database(Knowledge knowledge) throws SQLException {
        TestPostgres postgres = TestPostgres.migrated(server);
        PostgresRelayStores.open(
                postgres.dataSource(), Schema.DEFAULT, Route.named("main").fromBeginning(), "r");
        knowledge.prepare(postgres);
        return postgres;
    }

    private static Set<String> named(String statement, Set<String> indexes) {
        String header = Sql.resource("statements/" + statement + ".sql")
                .lines()
                .takeWhile(line -> line.startsWith("--"))
                .collect(Collectors.joining("\n"));
        Set<String> named = new TreeSet<>();
        Matcher words = NAME.matcher(header);
        while (words.find()) {
            if (indexes.contains(words.group())) {
                named.add(words.group());
            }
        }
        return named;
    }

    /** An INSERT looks into each unique index of its table without the plan saying so. */
    private static List<String> checkedByInserts(Connection connection, String plan) throws SQLException {
        List<String> found = new ArrayList<>();
        for (String table :
                INSERT.matcher(plan).results().map(one -> one.group(1)).toList()) {
            found.addAll(TestPostgres.rows(
                    connection,
                    "SELECT indexrelid::regclass::text FROM pg_index WHERE indisunique" + " AND indrelid = 'posthorn."
                            + table + "'::regclass"));
        }
        return found.stream().map(name -> name.replace("posthorn.", "")).toList();
    }

    /** As it is, and if it is another one then: as it is for a route that does not want everything. */
    private static Set<String> forms(String name, PlannedStatement statement) {
        if (statement.settings() == Settings.NO_PLAN) {
            return Set.of();
        }
        String sql = Sql.load(name, Schema.DEFAULT);
        Set<String> forms = new TreeSet<>();
        forms.add(EventRows.withEvent(sql, Schema.DEFAULT));
        forms.add(EventRows.withEvent(sql, Schema.DEFAULT, (short) 1));
        return forms;
    }

    private static String explain(Connection connection, String sql, PlannedStatement statement, String mode)
            throws SQLException {
        TestPostgres.run(connection, "SET LOCAL plan_cache_mode = " + mode);
        if (statement.settings() == Settings.PLAIN_PLANS) {
            TestPostgres.rows(connection, PlainPlans.SET_LOCAL);
        }
        TestPostgres.run(connection, statement.prepare("planned", sql));
        String plan = String.join("\n", TestPostgres.rows(connection, "EXPLAIN " + statement.execute("planned")));
        TestPostgres.run(connection, "DEALLOCATE planned");
        connection.rollback();
        return plan;
    }
}
