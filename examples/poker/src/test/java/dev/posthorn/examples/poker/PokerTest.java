package dev.posthorn.examples.poker;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.posthorn.embeddedpostgres.EmbeddedPostgres;
import dev.posthorn.event.Event;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.DeadDecision;
import dev.posthorn.postgres.DeadEntry;
import dev.posthorn.postgres.DeadFilter;
import dev.posthorn.postgres.DeadRun;
import dev.posthorn.postgres.Migrations;
import dev.posthorn.postgres.PostgresDeadDesk;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.postgres.Schema;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Three domains and all who react to them, over the transport within a process; the demo plays it over the others. */
@Timeout(120)
@Tag("exact")
class PokerTest {

    private static final RetryPolicy QUICK = RetryPolicy.fixed(3, Duration.ofMillis(20));

    private static EmbeddedPostgres server;
    private static HikariDataSource pool;

    private final Outbox outbox = new PostgresOutbox(PostgresOutboxConfig.DEFAULT);
    private final Croupier croupier = new Croupier(outbox);
    private final BuyIn lobby = new BuyIn(outbox);
    private final MemoryTransport transport = MemoryTransport.builder().build();
    private Game game;
    private Relay relay;

    @BeforeAll
    static void startPostgres() {
        server = EmbeddedPostgres.builder().unsafeFast().start();
        HikariConfig hikari = new HikariConfig();
        hikari.setJdbcUrl(server.jdbcUrl());
        hikari.setMaximumPoolSize(40);
        pool = new HikariDataSource(hikari);
    }

    @AfterAll
    static void stopPostgres() {
        pool.close();
        server.close();
    }

    @BeforeEach
    void open() throws SQLException {
        execute("DROP SCHEMA IF EXISTS posthorn CASCADE");
        execute("DROP SCHEMA IF EXISTS poker CASCADE");
        new Migrations(Schema.DEFAULT).migrate(pool);
        Tables.create(pool, 2, 2, 1_000);
        game = Game.start(new Game.Parts(transport, pool, outbox, QUICK, (part, handler) -> handler));
        relay = Poker.relay(pool, transport.publisher(), "test", QUICK);
    }

    @AfterEach
    void close() {
        relay.close();
        game.close();
        transport.close();
    }

    @Test
    void aHandPaysItsWinnerEndsAtItsTableAndIsSeenInOrder() throws SQLException {
        play("hand-1", "player-1", 150, "short");

        awaitRows("poker.display", 5);
        assertThat(rows("SELECT funds FROM poker.players WHERE id = 'player-1'"))
                .containsExactly("1150");
        assertThat(rows("SELECT hands FROM poker.tables WHERE id = 'table-1'")).containsExactly("1");
        assertThat(rows("SELECT bytes FROM poker.histories WHERE hand = 'hand-1'"))
                .containsExactly("5");
        assertThat(rows("SELECT type FROM poker.display WHERE domain = 'hand' ORDER BY n"))
                .containsExactly(Poker.CARDS_DEALT, Poker.ACTION_TAKEN, Poker.HAND_COMPLETE);
    }

    @Test
    void whatFollowsFromAHandKnowsWhatCausedIt() throws SQLException {
        play("hand-1", "player-1", 150, "short");

        awaitRows("poker.display", 5);
        assertThat(rows("SELECT e.correlation_id, c.type FROM posthorn.outbox e"
                        + " JOIN posthorn.outbox c ON c.id::text = e.causation_id WHERE e.type = 'funds-transferred'"))
                .containsExactly("hand-1 hand-complete");
    }

    @Test
    void whoHasTheFundsGetsTheSeat() throws SQLException {
        ask("request-1", "player-1", 400);

        awaitRows("poker.display WHERE type = 'player-seated'", 1);
        assertThat(rows("SELECT step FROM poker.buy_ins ORDER BY n")).containsExactly("asked", "seated");
        assertThat(rows("SELECT reserved FROM poker.players WHERE id = 'player-1'"))
                .containsExactly("400");
        assertThat(rows("SELECT seats FROM poker.tables WHERE id = 'table-1'")).containsExactly("1");
    }

    @Test
    void whoHasNotGivesTheSeatBack() throws SQLException {
        ask("request-1", "player-1", 4_000);

        awaitRows("poker.display WHERE type = 'seat-released'", 1);
        assertThat(rows("SELECT step FROM poker.buy_ins ORDER BY n")).containsExactly("asked", "released");
        assertThat(rows("SELECT reserved FROM poker.players WHERE id = 'player-1'"))
                .containsExactly("0");
        assertThat(rows("SELECT seats FROM poker.tables WHERE id = 'table-1'")).containsExactly("0");
    }

    @Test
    void aSagaThatFailsLeavesTheOthersAloneAndIsRedrivenWhenItsCauseIsMended() throws SQLException {
        play("hand-1", "player-9", 50, "short"); // whom nobody knows

        Await.until("the saga to give up", () -> !deadOf(Poker.HAND).isEmpty());
        awaitRows("poker.ended_hands", 1);
        assertThat(deadOf(Poker.HAND)).singleElement().satisfies(dead -> {
            assertThat(dead.where().name()).isEqualTo(Part.HAND_PLAYER_SAGA.subscriber());
            assertThat(dead.why().reason()).contains("there is no player player-9");
        });
        assertThat(deadOf(Poker.PLAYER)).isEmpty();
        assertThat(rows("SELECT count(*) FROM poker.winnings")).containsExactly("0");

        execute("INSERT INTO poker.players (id, funds) VALUES ('player-9', 0)");
        DeadRun run = new PostgresDeadDesk(pool, Schema.DEFAULT)
                .decide(DeadFilter.all().domain(Poker.HAND), DeadDecision.redrive("the player is there now"), 10);
        while (!run.isOver()) {
            run.runOnce();
        }
        awaitRows("poker.display WHERE type = 'funds-transferred'", 1);
        assertThat(rows("SELECT player_id, amount FROM poker.winnings")).containsExactly("player-9 50");
    }

    @Test
    void anEventThatIsMissingInItsHandIsASequenceMismatchWithWhatWasExpected() throws SQLException {
        emit(Poker.event(Poker.HAND, Poker.CARDS_DEALT, new Aggregate("hand-1", 1))
                .json("{\"table\":\"table-1\"}")
                .build());
        emit(Poker.event(Poker.HAND, Poker.ACTION_TAKEN, new Aggregate("hand-1", 3))
                .json("{\"table\":\"table-1\"}")
                .build());

        Await.until("the historian to give up", () -> !deadOf(Poker.HAND).isEmpty());
        assertThat(deadOf(Poker.HAND)).singleElement().satisfies(dead -> {
            assertThat(dead.where().name()).isEqualTo(Part.HISTORIAN.subscriber());
            assertThat(dead.why().cause()).isEqualTo("sequence-mismatch");
            assertThat(dead.why().reason()).contains("sequence 2 was expected, and it has 3");
        });
    }

    @Test
    void aPartThatIsDeployedLaterCatchesUpFromTheLog() throws SQLException {
        for (int i = 0; i < 20; i++) {
            play("hand-" + i, "player-1", 1, "short");
        }
        awaitRows("poker.display WHERE type = 'hand-complete'", 20);

        game.deploy(Part.STATISTICS);
        game.catchUp(Part.STATISTICS);
        play("hand-20", "player-2", 1, "short");

        awaitRows("poker.statistics", 21);
        assertThat(rows("SELECT count(DISTINCT hand) FROM poker.statistics")).containsExactly("21");
    }

    @Test
    void aHandThatWasRolledBackNeverHappened() throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            croupier.play(connection, new Croupier.Hand("hand-0", "table-1", "player-1", 7, ""));
            connection.rollback();
        }
        play("hand-1", "player-1", 1, "short");

        awaitRows("poker.display", 5);
        assertThat(rows("SELECT DISTINCT key FROM poker.display WHERE domain = 'hand'"))
                .containsExactly("hand-1");
    }

    private void play(String hand, String winner, long pot, String history) throws SQLException {
        transact(connection -> croupier.play(connection, new Croupier.Hand(hand, "table-1", winner, pot, history)));
    }

    private void ask(String request, String player, long stake) throws SQLException {
        transact(connection -> lobby.request(connection, new BuyIn.Request(request, "table-1", player, stake)));
    }

    private void emit(Event event) throws SQLException {
        transact(connection -> outbox.emit(connection, event));
    }

    private interface Business {
        Object happen(Connection connection) throws SQLException;
    }

    private void transact(Business business) throws SQLException {
        try (Connection connection = pool.getConnection()) {
            connection.setAutoCommit(false);
            Object unused = business.happen(connection);
            connection.commit();
        }
        relay.wakeUp();
    }

    private static List<DeadEntry> deadOf(String domain) {
        return new PostgresDeadDesk(pool, Schema.DEFAULT).list(DeadFilter.all().domain(domain), null, 10);
    }

    private static void awaitRows(String table, int count) {
        Await.until(
                count + " rows of " + table,
                () -> rows("SELECT count(*) FROM " + table).equals(List.of(Integer.toString(count))));
    }

    private static void execute(String sql) throws SQLException {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    private static List<String> rows(String sql) {
        try (Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            List<String> rows = new ArrayList<>();
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int i = 1; i <= columns; i++) {
                    row.add(result.getString(i));
                }
                rows.add(String.join(" ", row));
            }
            return rows;
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
    }
}
