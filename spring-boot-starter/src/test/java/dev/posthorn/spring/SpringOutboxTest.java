package dev.posthorn.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.RecordingTransport;
import java.util.List;
import javax.sql.DataSource;
import org.jooq.DSLContext;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.DataSourceConnectionProvider;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

/** With Spring's JDBC transactions, which JdbcTemplate, {@code @Transactional} and jOOQ use. */
class SpringOutboxTest {

    private static Shop shop;

    @Configuration(proxyBeanMethods = false)
    static class Beans {

        @Bean
        RecordingTransport broker() {
            return RecordingTransport.accepting();
        }

        /** As Spring Boot does it. */
        @Bean
        DSLContext jooq(DataSource database) {
            return DSL.using(
                    new DataSourceConnectionProvider(new TransactionAwareDataSourceProxy(database)),
                    SQLDialect.POSTGRES);
        }

        @Bean
        Orders orders(SpringOutbox outbox, DSLContext jooq) {
            return new Orders(outbox, jooq);
        }
    }

    static class Orders {

        private final SpringOutbox outbox;
        private final DSLContext jooq;

        Orders(SpringOutbox outbox, DSLContext jooq) {
            this.outbox = outbox;
            this.jooq = jooq;
        }

        @Transactional
        public void place(String id, boolean fails) {
            jooq.insertInto(DSL.table("orders"), DSL.field("id", String.class))
                    .values(id)
                    .execute();
            outbox.emit(Shop.placed(id));
            if (fails) {
                throw new IllegalStateException("no stock");
            }
        }
    }

    @BeforeAll
    static void start() {
        // A relay that looks once an hour publishes soon only if it is woken.
        shop = Shop.start(
                List.of(Beans.class), Shop.WITHOUT_JPA, "posthorn.transport=broker", "posthorn.relay.idle-poll=1h");
    }

    @AfterAll
    static void stop() {
        shop.close();
    }

    @BeforeEach
    void empty() {
        shop.jdbc().update("DELETE FROM orders");
    }

    private static List<Event> published() {
        return shop.transport(RecordingTransport.class).events();
    }

    @Test
    void anEventOfACommittedTransactionIsPublishedSoon() {
        // When
        Event placed = shop.place("jdbc");

        // Then
        Await.until("the event to be published", () -> published().contains(placed));
        assertThat(shop.orders()).containsExactly("jdbc");
    }

    @Test
    void jooqAndTransactionalShareTheTransaction() {
        // When
        shop.bean(Orders.class).place("jooq", false);

        // Then
        assertThat(shop.orders()).containsExactly("jooq");
        assertThat(shop.log()).contains("jooq");
    }

    @Test
    void aRollbackEmitsNothing() {
        // When
        assertThatThrownBy(() -> shop.bean(Orders.class).place("undone", true)).hasMessage("no stock");

        // Then
        assertThat(shop.orders()).isEmpty();
        assertThat(shop.log()).doesNotContain("undone");
    }

    @Test
    void withoutATransactionNothingIsEmitted() {
        assertThatThrownBy(() -> shop.outbox().emit(Shop.placed("alone")))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("no transaction of Spring's is active")
                .hasMessageContaining("@Transactional");
        assertThat(shop.log()).doesNotContain("alone");
    }

    @Test
    void theTransactionOfSomethingElseIsNotTakenForOne() {
        TransactionTemplate elsewhere = new TransactionTemplate(new TransactionsOfSomethingElse());

        assertThatThrownBy(() ->
                        elsewhere.executeWithoutResult(status -> shop.outbox().emit(Shop.placed("elsewhere"))))
                .isInstanceOf(NoTransactionException.class)
                .hasMessageContaining("not one of the data source with the log");
        assertThat(shop.log()).doesNotContain("elsewhere");
    }

    @Test
    void aTransactionThatSpringEndsIsNotCommittedByAnEmit() {
        assertThatThrownBy(() -> shop.transaction()
                        .executeWithoutResult(
                                status -> shop.outbox().emit(List.of(Shop.placed("early")), EmitOption.WITH_COMMIT)))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("WITH_COMMIT");
        assertThat(shop.log()).doesNotContain("early");
    }

    /** As of a broker or another database. */
    private static final class TransactionsOfSomethingElse extends AbstractPlatformTransactionManager
            implements PlatformTransactionManager {

        @Override
        protected Object doGetTransaction() {
            return new Object();
        }

        @Override
        protected void doBegin(Object transaction, TransactionDefinition definition) {}

        @Override
        protected void doCommit(DefaultTransactionStatus status) {}

        @Override
        protected void doRollback(DefaultTransactionStatus status) {}
    }
}
