package dev.posthorn.systemtests;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.posthorn.inbox.Consumer;
import dev.posthorn.inbox.ConsumerConfig;
import dev.posthorn.inbox.Equipment;
import dev.posthorn.inbox.EventHandler;
import dev.posthorn.inbox.HandlerId;
import dev.posthorn.inbox.Handlers;
import dev.posthorn.inbox.Inbox;
import dev.posthorn.inbox.InboxSession;
import dev.posthorn.inbox.UnitOfWork;
import dev.posthorn.inbox.Units;
import dev.posthorn.inboxes.redis.RedisInbox;
import dev.posthorn.inboxes.redis.RedisInboxConfig;
import dev.posthorn.transport.Subscriber;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A consumer with an inbox in Redis whose effects are lines of a file, which nobody takes back. It stops for ever between two
 * steps and says {@code held STEP EVENT}, so that a test can kill it there.
 */
final class CrashingRedisConsumer {

    static final String NAME = "ledger";
    static final String DOMAIN = "shop";

    /** What has happened when it stops. */
    enum Step {
        RECEIVED,
        CLAIMED,
        /** Its claim is made sure of; only where effects are a unit of work. */
        FENCED,
        EFFECT,
        MARKED,
        /** It does not stop. */
        NEVER
    }

    private final String address;
    private final Path effects;
    private final Step stop;
    private final AtomicInteger before;

    /** Redis, the file of effects, where it stops, and how many events go through before. */
    private CrashingRedisConsumer(String[] args) {
        this.address = args[0];
        this.effects = Path.of(args[1]);
        this.stop = Step.valueOf(args[2]);
        this.before = new AtomicInteger(Integer.parseInt(args[3]));
    }

    /** The same, and whether effects are a unit of work. */
    public static void main(String[] args) throws IOException {
        CrashingRedisConsumer crashing = new CrashingRedisConsumer(args);
        Consumer<?> running = Boolean.parseBoolean(args[4]) ? crashing.startWithUnits() : crashing.start();
        int unused = System.in.read(); // until it is killed, or the test ends
        System.err.println("The test is gone, and " + running.report() + " ends with it");
        Runtime.getRuntime().halt(1);
    }

    private RedisInboxConfig config() {
        return RedisInboxConfig.at("redis://" + address)
                .prefix("crash")
                .timing(new RedisInboxConfig.Timing(
                        Duration.ofMillis(900), Duration.ofSeconds(1), Duration.ofSeconds(10)));
    }

    private Consumer<?> start() {
        return start(RedisInbox.open(config()), EventHandler.of((event, claim) -> {
            claim.check();
            write(event.id());
            reached(Step.EFFECT, Set.of(event.id()));
        }));
    }

    private Consumer<?> startWithUnits() {
        return start(
                RedisInbox.around(config(), new Lines()), EventHandler.of((event, lines) -> lines.add(event.id())));
    }

    private <T> Consumer<T> start(RedisInbox<T> inbox, EventHandler<T> handler) {
        Equipment<T> equipment = inbox.equipment();
        return Consumer.start(
                ConsumedBus.open("redis " + address),
                ConsumerConfig.of(Subscriber.named(NAME).domains(DOMAIN).concurrency(1)),
                Handlers.<T>none().onAll("main", handler),
                new Equipment<>(new Stopping<>(inbox, this), equipment.deadLetters(), equipment.store()));
    }

    private void write(UUID event) {
        try {
            Files.writeString(effects, event + "\n", UTF_8, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private void reached(Step now, Collection<UUID> events) {
        if (now != stop || events.isEmpty() || before.getAndDecrement() > 0) {
            return;
        }
        events.forEach(event -> System.out.println("held " + now + " " + event));
        while (true) {
            LockSupport.park(this);
        }
    }

    /** Lines that are written when they are committed. */
    private final class Lines implements Units<List<UUID>> {

        @Override
        public UnitOfWork<List<UUID>> begin() {
            List<UUID> lines = new ArrayList<>();
            return new UnitOfWork<>() {
                @Override
                public List<UUID> transaction() {
                    return lines;
                }

                @Override
                public void commit() {
                    reached(Step.FENCED, lines);
                    lines.forEach(CrashingRedisConsumer.this::write);
                    reached(Step.EFFECT, lines);
                }

                @Override
                public void cancel() {
                    // nothing of it takes long
                }

                @Override
                public void close() {
                    // nothing was written
                }
            };
        }

        @Override
        public Trouble troubleOf(Throwable failure) {
            return Trouble.LASTING;
        }
    }

    private record Stopping<T>(Inbox<T> inbox, CrashingRedisConsumer consumer) implements Inbox<T> {

        @Override
        public InboxSession<T> begin() {
            return new Session<>(inbox.begin(), consumer);
        }

        @Override
        public Trouble troubleOf(Throwable failure) {
            return inbox.troubleOf(failure);
        }
    }

    private static final class Session<T> implements InboxSession<T> {

        private final InboxSession<T> session;
        private final CrashingRedisConsumer consumer;
        private Set<UUID> fresh = Set.of();

        Session(InboxSession<T> session, CrashingRedisConsumer consumer) {
            this.session = session;
            this.consumer = consumer;
        }

        @Override
        public T transaction() {
            return session.transaction();
        }

        @Override
        public Set<UUID> firstTimes(HandlerId handler, Collection<UUID> events) {
            consumer.reached(Step.RECEIVED, events);
            fresh = session.firstTimes(handler, events);
            consumer.reached(Step.CLAIMED, fresh);
            return fresh;
        }

        @Override
        public void commit() {
            session.commit();
            consumer.reached(Step.MARKED, fresh);
        }

        @Override
        public void cancel() {
            session.cancel();
        }

        @Override
        public void close() {
            session.close();
        }
    }
}
