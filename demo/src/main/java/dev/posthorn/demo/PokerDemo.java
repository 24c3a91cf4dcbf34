package dev.posthorn.demo;

import dev.posthorn.examples.poker.BuyIn;
import dev.posthorn.examples.poker.Croupier;
import dev.posthorn.examples.poker.Game;
import dev.posthorn.examples.poker.Part;
import dev.posthorn.examples.poker.Poker;
import dev.posthorn.examples.poker.Tables;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresOutbox;
import dev.posthorn.postgres.PostgresOutboxConfig;
import dev.posthorn.relay.Relay;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** One run of examples/poker over a transport: producers, a relay, five parts of the game, one that comes later, the verdict. */
final class PokerDemo {

    /** Relay, replay, audit, and five for each of six parts; each producer needs one more. */
    private static final int CONNECTIONS_BESIDE_PRODUCERS = 44;

    /** Three of a hand, one of its winner, one of its table; three of a seat. */
    private static final int EVENTS_OF_A_ROUND = 8;

    private static final int TABLES = 50;
    private static final int PLAYERS = 200;
    private static final long FUNDS = 10_000;
    private static final int MOST_STAKE = 3_000;
    private static final int SHORT_HISTORY = 200;

    private final ExampleRun.Setting setting;
    private final PokerCommand.Play play;
    private final ExampleRun run;

    PokerDemo(ExampleRun.Setting setting, PokerCommand.Play play) {
        this.setting = setting;
        this.play = play;
        this.run = new ExampleRun(setting, this::underWay);
    }

    private String underWay() {
        return "under way " + Numbers.count(run.lag().underWay());
    }

    ExampleVerdict run() throws SQLException {
        setting.display().note("starting Postgres ...");
        try (DemoDatabase database =
                DemoDatabase.embedded(setting.options().producers + CONNECTIONS_BESIDE_PRODUCERS)) {
            setting.display().note("starting " + play.transport() + " ...");
            try (PokerBroker broker = PokerBroker.open(play.transport(), database.pool())) {
                Tables.create(database.pool(), TABLES, PLAYERS, FUNDS);
                return run(database, broker);
            }
        }
    }

    private ExampleVerdict run(DemoDatabase database, PokerBroker broker) throws SQLException {
        try (PokerHistories histories = PokerHistories.open(database.pool())) {
            return run(database, broker, histories);
        }
    }

    private ExampleVerdict run(DemoDatabase database, PokerBroker broker, PokerHistories histories)
            throws SQLException {
        Outbox outbox = histories.around(new PostgresOutbox(PostgresOutboxConfig.DEFAULT));
        Game.Parts parts = new Game.Parts(
                broker.bus(),
                database.pool(),
                outbox,
                ExampleRun.RETRY,
                (part, handler) -> noting(part, histories.around(handler)));
        try (Game game = Game.start(parts);
                Relay relay = Poker.relay(
                        database.pool(), run.publisher(broker.bus().publisher()), "demo-poker", ExampleRun.RETRY)) {
            setting.display().note("a projector, two sagas, a process manager and a historian listen; playing");
            long begin = System.nanoTime();
            Rounds rounds = new Rounds(new Croupier(outbox), new BuyIn(outbox), play.largeHistories());
            run.produce(database, relay, rounds::happen, EVENTS_OF_A_ROUND);
            run.drain(database, relay, PokerAuditor::effects, PokerAuditor::expected);
            double seconds = run.secondsSince(begin);
            setting.display().note("statistics are deployed now, and catch up");
            game.deploy(Part.STATISTICS);
            game.catchUp(Part.STATISTICS);
            run.drain(database, relay, PokerAuditor::counted, PokerAuditor::hands);
            return verdict(database, game, seconds);
        }
    }

    /** A hand and a request of a seat in each transaction. */
    private record Rounds(Croupier croupier, BuyIn lobby, double largeHistories) {

        UUID happen(Connection connection, Random random) throws SQLException {
            String id = UUID.randomUUID().toString();
            String table = "table-" + (1 + random.nextInt(TABLES));
            int history = random.nextDouble() < largeHistories ? PokerCommand.LARGE_HISTORY : SHORT_HISTORY;
            UUID first = croupier.play(
                    connection,
                    new Croupier.Hand(
                            "hand-" + id, table, anyPlayer(random), random.nextInt(500), "a".repeat(history)));
            UUID unused = lobby.request(
                    connection,
                    new BuyIn.Request("request-" + id, table, anyPlayer(random), 1 + random.nextInt(MOST_STAKE)));
            return first;
        }

        private static String anyPlayer(Random random) {
            return "player-" + (1 + random.nextInt(PLAYERS));
        }
    }

    /** The projector gets every event. */
    private EventHandler<Connection> noting(Part part, EventHandler<Connection> handler) {
        return part == Part.OUTPUT_PROJECTOR ? run.noting(handler) : handler;
    }

    private ExampleVerdict verdict(DemoDatabase database, Game game, double seconds) throws SQLException {
        try (Connection connection = database.pool().getConnection()) {
            ExampleFindings found = PokerAuditor.audit(connection);
            return new ExampleVerdict(
                    found,
                    new ExampleVerdict.Story(
                            "The hands and seats against what each part did about them over " + play.transport(),
                            "unsettled",
                            List.of(Numbers.count(found.amiss()) + " hands or seats without their end")),
                    game.duplicates(),
                    run.lag().overall(),
                    found.arrived() / seconds,
                    setting.seed());
        }
    }
}
