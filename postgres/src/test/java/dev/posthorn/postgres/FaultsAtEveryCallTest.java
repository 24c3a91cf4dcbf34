package dev.posthorn.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.relay.Relay;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import dev.posthorn.transport.Outcome;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.postgresql.ds.PGSimpleDataSource;

/** One call to the database after the other fails, in any way in which a call may, before its effect and after it. */
@Tag("exact")
@Tag("slow")
@Timeout(300)
class FaultsAtEveryCallTest {

    private static final int KEYS = 5;
    private static final int OF_A_KEY = 3;
    private static final Set<String> FAULTY =
            Set.of("prepareStatement", "commit", "execute", "executeQuery", "executeUpdate");

    enum Fault {
        SQL {
            @Override
            void happen() throws SQLException {
                throw new SQLException("the connection is gone", "08006");
            }
        },
        RUNTIME {
            @Override
            void happen() {
                throw new IllegalStateException("no database for this tenant");
            }
        },
        ERROR {
            @Override
            void happen() {
                throw new OutOfMemoryError("Java heap space");
            }
        },
        INTERRUPT {
            @Override
            void happen() {
                Thread.currentThread().interrupt();
            }
        };

        abstract void happen() throws SQLException;
    }

    /** Fails at one call after the other: first at the first, then at the second of those that follow, and so on. */
    private static final class Faulty extends PGSimpleDataSource {

        private static final long serialVersionUID = 1L;

        private final Fault fault;
        private final AtomicInteger left = new AtomicInteger(-1);
        private final AtomicInteger happened = new AtomicInteger();

        Faulty(Fault fault, TestPostgres postgres) {
            this.fault = fault;
            setUrl(postgres.dataSource().getUrl());
            setUser("postgres");
        }

        void failAt(int call) {
            left.set(call);
        }

        int happened() {
            return happened.get();
        }

        private void step() throws SQLException {
            if (left.get() >= 0 && left.getAndDecrement() == 0) {
                happened.incrementAndGet();
                fault.happen();
            }
        }

        @Override
        public Connection getConnection() throws SQLException {
            step();
            return around(Connection.class, super.getConnection());
        }

        private <T> T around(Class<T> type, Object real) {
            return type.cast(Proxy.newProxyInstance(
                    type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                        boolean faulty = FAULTY.contains(method.getName());
                        if (faulty) {
                            step();
                        }
                        try {
                            Object result = method.invoke(real, arguments);
                            if (faulty) {
                                step();
                            }
                            return method.getName().equals("prepareStatement")
                                    ? around(PreparedStatement.class, result)
                                    : result;
                        } catch (InvocationTargetException failed) {
                            throw failed.getCause();
                        }
                    }));
        }
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void nothingIsLostInventedOrOutOfOrder(Fault fault) throws SQLException {
        List<Event> emitted = new ArrayList<>();
        RecordingTransport transport = RecordingTransport.answering((event, attempt) ->
                attempt == 1 && event.sequence().orElse(0L) % 7 == 0 ? Outcome.failed("not yet") : Outcome.accepted());
        try (Faults scene = new Faults(fault)) {
            Relay relay = scene.harness.startRelay("r", transport.publisher());
            int rounds = rounds();
            for (int round = 0; round < rounds; round++) {
                List<Event> more = events(round);
                emitted.addAll(more);
                scene.source.failAt(round);
                scene.harness.emit(more);
                relay.wakeUp();
                int happened = round + 1;
                Await.until("the fault has happened", () -> scene.source.happened() == happened);
            }

            Await.until("all is SENT", () -> scene.sent() == emitted.size());
            Ledger.Balance balance = new Ledger(scene.harness.postgres).balance(transport.events());
            assertThat(balance.holds()).as(balance.toString()).isTrue();
            assertThat(balance.twice().size()).isLessThanOrEqualTo(rounds * SmallSteps.bound());
            assertThat(relay.status().inFlight()).isZero();
            System.out.printf("%s at %d calls: %s%n", fault, rounds, balance);
        }
    }

    private static int rounds() {
        return System.getProperty("posthorn.size", "normal").equals("fast") ? 20 : 40;
    }

    private static List<Event> events(int round) {
        List<Event> events = new ArrayList<>();
        for (int key = 0; key < KEYS; key++) {
            for (int i = 1; i <= OF_A_KEY; i++) {
                events.add(Event.of("shop", "placed")
                        .key("k" + key)
                        .sequence(round * OF_A_KEY + i)
                        .build());
            }
        }
        return events;
    }

    /** A database whose relays meet the fault. */
    private static final class Faults implements AutoCloseable {

        private Faulty source;
        final RelayHarness harness;

        Faults(Fault fault) {
            Faulty[] made = new Faulty[1];
            harness = new RelayHarness(
                    postgres -> {
                        made[0] = new Faulty(fault, postgres);
                        return made[0];
                    },
                    Duration.ofSeconds(2));
            harness.config = SmallSteps.config();
            harness.policy = SmallSteps.policy();
            source = made[0];
        }

        int sent() {
            return harness.rows("SELECT 1 FROM posthorn.outbox_status WHERE state = 'SENT'")
                    .size();
        }

        @Override
        public void close() {
            harness.close();
        }
    }
}
