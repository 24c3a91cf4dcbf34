package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.Await;
import jakarta.persistence.EntityManager;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.transaction.PlatformTransactionManager;

/** With the transactions of JPA, on Hibernate. */
class JpaTest {

    private static Shop shop;

    @Configuration(proxyBeanMethods = false)
    @EntityScan(basePackageClasses = OrderRow.class)
    static class Beans {

        @Bean
        Copies copies(EntityManager entities) {
            return new Copies(entities);
        }
    }

    /** Writes another row for each order, and fails the first time. */
    static class Copies {

        final AtomicInteger calls = new AtomicInteger();
        private final EntityManager entities;

        Copies(EntityManager entities) {
            this.entities = entities;
        }

        @EventHandler(consumer = "copies", types = "order.copied")
        void copy(String payload) {
            entities.persist(new OrderRow("copy-of-" + payload));
            entities.flush();
            if (calls.incrementAndGet() == 1) {
                throw new IllegalStateException("not yet");
            }
        }
    }

    @BeforeAll
    static void start() {
        shop = Shop.start(List.of(Beans.class));
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @Test
    void entitiesAndEventsAreKeptTogether() {
        assertThat(shop.bean(PlatformTransactionManager.class)).isInstanceOf(JpaTransactionManager.class);

        // When
        shop.transaction().executeWithoutResult(status -> {
            shop.bean(EntityManager.class).persist(new OrderRow("kept"));
            shop.outbox().emit(Shop.placed("kept"));
        });

        // Then
        assertThat(shop.orders()).contains("kept");
        assertThat(shop.log()).contains("kept");
    }

    @Test
    void entitiesAndEventsAreUndoneTogether() {
        // When
        assertThatThrownBy(() -> shop.transaction().executeWithoutResult(status -> {
                    shop.bean(EntityManager.class).persist(new OrderRow("undone"));
                    shop.outbox().emit(Shop.placed("undone"));
                    throw new IllegalStateException("no stock");
                }))
                .hasMessage("no stock");

        // Then
        assertThat(shop.orders()).doesNotContain("undone");
        assertThat(shop.log()).doesNotContain("undone");
    }

    @Test
    void whatAHandlerPersistsIsUndoneWithItsMarkAndHappensOnce() {
        // When
        shop.transaction()
                .executeWithoutResult(status -> shop.outbox()
                        .emit(Event.of("shop", "order.copied").json("7").build()));

        // Then
        Await.until("the copy", () -> shop.orders().contains("copy-of-7"));
        assertThat(shop.bean(Copies.class).calls).hasValue(2);
        assertThat(shop.texts("SELECT handler FROM posthorn.inbox WHERE consumer = 'copies'"))
                .containsExactly("copy");
    }
}
