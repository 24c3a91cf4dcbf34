package dev.posthorn.examples.poker;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.PostgresReplayDesk;
import dev.posthorn.postgres.PostgresReplays;
import dev.posthorn.postgres.ReplayLoop;
import dev.posthorn.postgres.Schema;
import dev.posthorn.replay.Replay;
import dev.posthorn.replay.ReplayConfig;
import dev.posthorn.replay.ReplayStep;
import dev.posthorn.replay.Selection;
import dev.posthorn.replay.Target;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.RetryPolicy;
import dev.posthorn.transport.Subscriber;
import java.sql.Connection;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import javax.sql.DataSource;

/** All parts that react to events, in one process. Thread-safe. */
public final class Game implements AutoCloseable {

    static final String HANDLER = "main";

    private final Parts parts;
    private final ReplayLoop replays;
    private final Map<Part, Consumer<Connection>> playing = new ConcurrentHashMap<>();

    /**
     * What the game is played with.
     *
     * @param retries of handlers
     * @param around what stands around each handler, such as what fetches a large payload
     */
    public record Parts(
            Bus bus,
            DataSource database,
            Outbox outbox,
            RetryPolicy retries,
            BiFunction<Part, EventHandler<Connection>, EventHandler<Connection>> around) {}

    private Game(Parts parts) {
        this.parts = parts;
        this.replays = ReplayLoop.start(new ReplayStep.Parts(
                Poker.PREFIX,
                Target.route(Poker.PREFIX),
                new PostgresReplays(parts.database(), Schema.DEFAULT),
                parts.bus().publisher(),
                ReplayConfig.standard()));
    }

    /** Starts all but the statistics, which come later. */
    public static Game start(Parts parts) {
        Game game = new Game(parts);
        for (Part part : Part.values()) {
            if (part != Part.STATISTICS) {
                game.deploy(part);
            }
        }
        return game;
    }

    // docs:start:poker-parts
    /** Starts a part. It subscribes by domain first, by type second, and gets every such event from now on. */
    public void deploy(Part part) {
        Subscriber subscriber = Subscriber.named(part.subscriber())
                .domains(part.domains().toArray(String[]::new))
                .types(part.types().toArray(String[]::new));
        playing.put(
                part,
                Consumer.start(
                        parts.bus(),
                        ConsumerConfig.of(subscriber).kind(part.kind()).retries(parts.retries()),
                        Handlers.<Connection>none()
                                .onAll(HANDLER, parts.around().apply(part, handler(part))),
                        PostgresInbox.equipment(parts.database(), Schema.DEFAULT)));
    }

    /**
     * Lets a part that was deployed late have what it missed: what it wants goes from the log through the route once more, whatever
     * the transport keeps. The inbox of each part knows what it has handled, so only the new one does anything about it.
     */
    public void catchUp(Part part) {
        new PostgresReplayDesk(parts.database(), Schema.DEFAULT)
                .start(Replay.Request.into(Target.route(Poker.PREFIX))
                        .selecting(Selection.ALL.withDomains(part.domains()).withTypes(part.types()))
                        .because(part.subscriber() + " was deployed later"));
    }
    // docs:end:poker-parts

    private EventHandler<Connection> handler(Part part) {
        HandSagas sagas = new HandSagas(parts.outbox());
        return switch (part) {
            case OUTPUT_PROJECTOR -> Projections.display();
            case HAND_PLAYER_SAGA -> sagas.payWinner();
            case HAND_TABLE_SAGA -> sagas.endHand();
            case BUY_IN -> new BuyIn(parts.outbox()).handler();
            case HISTORIAN -> Projections.histories();
            case STATISTICS -> Projections.statistics();
        };
    }

    /** Deliveries of events that were handled before. */
    public long duplicates() {
        return playing.values().stream()
                .mapToLong(consumer -> consumer.report().totals().skipped())
                .sum();
    }

    @Override
    public void close() {
        replays.close();
        playing.values().parallelStream().forEach(Consumer::close);
    }
}
