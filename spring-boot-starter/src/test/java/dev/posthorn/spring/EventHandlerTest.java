package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import dev.posthorn.transport.Verdict;
import dev.posthorn.transports.memory.MemoryTransport;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.annotation.Transactional;

/** Methods with the annotation, over memory and Spring's JDBC transactions. */
class EventHandlerTest {

    record Order(String id, int total) {}

    record Got(Order order, Event event, boolean sameConnection) {}

    private static Shop shop;

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean(destroyMethod = "")
        MemoryTransport kept() {
            return MemoryTransport.builder().build();
        }

        @Bean
        Billing billing(JdbcTemplate jdbc, SpringOutbox outbox) {
            return new Billing(jdbc, outbox);
        }
    }

    static class Billing {

        private final List<Got> got = new CopyOnWriteArrayList<>();
        private final AtomicInteger attempts = new AtomicInteger();
        private final JdbcTemplate jdbc;
        private final SpringOutbox outbox;

        Billing(JdbcTemplate jdbc, SpringOutbox outbox) {
            this.jdbc = jdbc;
            this.outbox = outbox;
        }

        /** Spring hands out a proxy, which has fields of its own. */
        List<Got> got() {
            return got;
        }

        int attempts() {
            return attempts.get();
        }

        @EventHandler(consumer = "${shop.consumer}", types = "order.placed", name = "bill")
        public void bill(Connection connection, Order order, Event event) {
            Connection current = DataSourceUtils.getConnection(Objects.requireNonNull(jdbc.getDataSource()));
            got.add(new Got(order, event, current == connection));
        }

        @EventHandler(consumer = "audit", types = "order.lost")
        public Verdict audit(Event event) {
            return Verdict.reject("nobody knows " + event.key().orElseThrow());
        }

        @EventHandler(consumer = "scales", types = "order.weighed")
        public void weigh(Event event) {
            attempts.addAndGet(event.payloadSize());
        }

        @Transactional
        @EventHandler(consumer = "stock", types = "order.packed")
        public Verdict pack(Event event) {
            jdbc.update(
                    "INSERT INTO orders (id) VALUES (?)",
                    "packed-" + event.key().orElseThrow());
            outbox.emit(Event.of("stock", "order.left").key("left").json("{}").build());
            return attempts.incrementAndGet() < 3 ? Verdict.retry(Duration.ofMillis(10), "no box") : Verdict.done();
        }
    }

    @BeforeAll
    static void start() {
        shop = Shop.start(
                List.of(Beans.class),
                Shop.WITHOUT_JPA,
                "shop.consumer=billing",
                "posthorn.transport=kept",
                "posthorn.consumers.audit.dead-letters.also-to-transport=true",
                "posthorn.consumers.scales.domains=weights",
                "posthorn.consumers.scales.unhandled=dead-letter");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    private static void emit(Event event) {
        shop.transaction().executeWithoutResult(status -> shop.outbox().emit(event));
    }

    @Test
    void aMethodGetsWhatItAsksForInItsOrder() {
        // When
        Event placed = shop.place("17");

        // Then
        Billing billing = shop.bean(Billing.class);
        Await.until("the handling", () -> !billing.got().isEmpty());
        assertThat(billing.got()).containsExactly(new Got(new Order("17", 4200), placed, true));
    }

    @Test
    void whatNoHandlerWantsIsDeadWhereThePropertySaysSo() {
        // When
        emit(Event.of("weights", "order.measured").key("9").json("{}").build());

        // Then
        JdbcTemplate jdbc = shop.bean(JdbcTemplate.class);
        String letters = "SELECT consumer FROM posthorn.dead_letter WHERE type = 'order.measured'";
        String counts = "SELECT consumer FROM posthorn.unhandled_event WHERE type = 'order.measured' ORDER BY consumer";
        Await.until(
                "all consumers count it",
                () -> jdbc.queryForList(counts, String.class).containsAll(List.of("billing", "scales", "stock")));
        assertThat(jdbc.queryForList(letters, String.class)).containsExactly("scales");
        jdbc.update("DELETE FROM posthorn.dead_letter WHERE type = 'order.measured'");
    }

    @Test
    void whatAHandlerWritesAndEmitsIsKeptOnceWithItsMark() {
        // When
        emit(Event.of("shop", "order.packed").key("8").json("{}").build());

        // Then
        Await.until(
                "the mark",
                () -> !shop.texts("SELECT handler FROM posthorn.inbox WHERE consumer = 'stock'")
                        .isEmpty());
        assertThat(shop.bean(Billing.class).attempts()).isEqualTo(3);
        assertThat(shop.orders()).contains("packed-8");
        assertThat(shop.log()).containsOnlyOnce("left");
    }

    @Test
    void aDeadLetterGoesToTheDatabaseAndAlsoToTheTransportIfItsConsumerSaysSo() {
        // When
        emit(Event.of("shop", "order.lost").key("9").json("{}").build());

        // Then
        MemoryTransport bus = shop.bean(MemoryTransport.class);
        Await.until("the letter at the broker", () -> bus.deadLetters().size() == 1);
        assertThat(bus.deadLetters().get(0).subscriber()).isEqualTo("audit");
        assertThat(bus.deadLetters().get(0).about())
                .containsEntry("posthorn-dead-reason", "nobody knows 9")
                .containsEntry("posthorn-dead-cause", "rejected")
                .containsEntry("posthorn-dead-consumer", "audit")
                .containsKeys("posthorn-dead-at", "posthorn-dead-component", "posthorn-dead-letter");
        assertThat(shop.texts("SELECT reason FROM posthorn.dead_letter WHERE consumer = 'audit'"))
                .containsExactly("nobody knows 9");
    }

    @Test
    void aPayloadThatCanNotBeReadIsADeadLetterAtOnce() {
        // When
        emit(Event.of("shop", "order.placed").key("bad").json("[nonsense").build());

        // Then
        Await.until(
                "the dead letter",
                () -> !shop.texts("SELECT cause FROM posthorn.dead_letter WHERE consumer = 'billing'")
                        .isEmpty());
        assertThat(shop.texts(
                        "SELECT cause || ' ' || consumer FROM posthorn.dead_letter WHERE" + " consumer = 'billing'"))
                .containsExactly("rejected billing");
    }
}
