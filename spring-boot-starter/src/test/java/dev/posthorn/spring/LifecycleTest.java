package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/** Starting, stopping and sharing. */
@Tag("slow")
class LifecycleTest {

    private static final int ORDERS = 64;
    private static final CountDownLatch BEGUN = new CountDownLatch(1);

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        Packing packing(JdbcTemplate jdbc) {
            return new Packing(jdbc);
        }
    }

    /** Takes its time. */
    static class Packing {

        private final JdbcTemplate jdbc;

        Packing(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @EventHandler(consumer = "packing")
        void pack(Event event) {
            BEGUN.countDown();
            jdbc.execute("SELECT pg_sleep(0.5)");
            jdbc.update(
                    "INSERT INTO orders (id) VALUES (?)",
                    "packed-" + event.key().orElseThrow());
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Counting {

        @Bean
        Counter counter() {
            return new Counter();
        }
    }

    static class Counter {

        final Set<String> keys = ConcurrentHashMap.newKeySet();
        final AtomicInteger calls = new AtomicInteger();

        @EventHandler(consumer = "counting")
        void count(Event event) {
            keys.add(event.key().orElseThrow());
            calls.incrementAndGet();
        }
    }

    @Test
    void stoppingLetsAHandlerFinish() throws InterruptedException {
        String database = Shop.database();
        Shop shop = Shop.startOn(database, List.of(Beans.class), Shop.WITHOUT_JPA);
        shop.place("1");
        BEGUN.await();

        // When
        shop.close();

        // Then
        try (Shop next = Shop.startOn(database, List.of(), Shop.WITHOUT_JPA, "posthorn.relay.enabled=false")) {
            assertThat(next.orders()).containsExactly("1", "packed-1");
            assertThat(next.texts("SELECT name FROM posthorn.relay")).isEmpty();
        }
    }

    @Test
    void twoInstancesShareTheWorkWithoutABroker() {
        String database = Shop.database();
        String[] properties = {Shop.WITHOUT_JPA, "posthorn.transport=postgres-log", "posthorn.relay.lease-ttl=2s"};
        try (Shop one = Shop.startOn(database, List.of(Counting.class), properties);
                Shop other = Shop.startOn(database, List.of(Counting.class), properties)) {
            Counter here = one.bean(Counter.class);
            Counter there = other.bean(Counter.class);

            Await.until(
                    "lanes for both",
                    () -> one.texts("SELECT DISTINCT owner FROM posthorn.lease WHERE owner IS NOT NULL")
                                    .size()
                            == 2);

            // When
            for (int i = 0; i < ORDERS; i++) {
                one.place("order-" + i);
            }

            // Then
            Await.until("all to be handled", () -> here.calls.get() + there.calls.get() == ORDERS);
            assertThat(here.keys).isNotEmpty();
            assertThat(there.keys).isNotEmpty();
            assertThat(here.keys).doesNotContainAnyElementsOf(there.keys);
        }
    }

    @Test
    void anApplicationCanBeStoppedAndStartedAgain() {
        try (Shop shop = Shop.start(List.of(Counting.class), Shop.WITHOUT_JPA)) {
            shop.context().stop();

            // When
            shop.context().start();

            // Then
            shop.place("again");
            Await.until("the event", () -> shop.bean(Counter.class).keys.contains("again"));
        }
    }
}
