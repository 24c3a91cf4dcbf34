package dev.posthorn.systemtests;

import dev.posthorn.event.Event;
import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.postgres.PostgresInbox;
import dev.posthorn.postgres.Schema;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.Verdict;
import java.io.IOException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * A consumer that says what it does, so that a test can kill it at the right moment: {@code held} when the effects of an event
 * are committed and it is not acknowledged, nor will be.
 */
final class CrashingConsumer {

    static final String NAME = "ledger";
    static final String DOMAIN = "shop";

    /** What this process has handled. */
    private static final Set<UUID> HANDLED = ConcurrentHashMap.newKeySet();

    private CrashingConsumer() {}

    static ConsumerConfig config() {
        return ConsumerConfig.of(Subscriber.named(NAME).domains(DOMAIN).concurrency(4));
    }

    /** The bus, the database, and how many events that are handled here are acknowledged before all others are held. */
    public static void main(String[] args) throws IOException {
        PGSimpleDataSource database = new PGSimpleDataSource();
        database.setUrl(args[1]);
        int acknowledged = Integer.parseInt(args[2]);
        AtomicInteger settled = new AtomicInteger();
        Bus bus = new SettlingBus(ConsumedBus.open(args[0]), (event, verdict) -> {
            boolean here = HANDLED.contains(event.id());
            if (!(verdict instanceof Verdict.Done)) {
                System.out.println("failed " + event.id() + " " + verdict);
            } else if (here && settled.getAndIncrement() >= acknowledged) {
                System.out.println("held " + event.id());
                return false;
            } else {
                System.out.println((here ? "done " : "again ") + event.id());
            }
            return true;
        });
        Consumer<Connection> running = Consumer.start(
                bus,
                config(),
                Handlers.<Connection>none().onAll("book", EventHandler.of(CrashingConsumer::book)),
                PostgresInbox.equipment(database, Schema.DEFAULT));
        int unused = System.in.read(); // until it is killed, or the test ends
        System.err.println("The test is gone, and " + running.report() + " ends with it");
        Runtime.getRuntime().halt(1);
    }

    private static void book(Event event, Connection connection) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement("INSERT INTO effect (event) VALUES (?)")) {
            insert.setObject(1, event.id());
            insert.executeUpdate();
        }
        HANDLED.add(event.id());
    }
}
