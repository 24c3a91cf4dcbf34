package dev.posthorn.examples.springshop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.outbox.NoTransactionException;
import dev.posthorn.spring.test.AutoConfigurePosthornTest;
import dev.posthorn.testkit.users.PosthornBench;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.jdbc.core.simple.JdbcClient;

// docs:start:spring-test
@SpringBootTest
@AutoConfigurePosthornTest
class ShopTest {

    @Autowired
    Orders orders;

    @Autowired
    PosthornBench posthorn;

    @Test
    void anOrderIsBilled() {
        orders.place(new Order("17", 4200));

        posthorn.settle();
        posthorn.handledBy("billing").ofKey("17").hasTypes("order.placed");
        posthorn.published().ofKey("17").hasTypes("order.placed", "invoice.written");
    }
    // docs:end:spring-test

    @Autowired
    JdbcClient database;

    private int invoicesOf(String order) {
        return database.sql("SELECT count(*) FROM invoices WHERE order_id = ?")
                .param(order)
                .query(Integer.class)
                .single();
    }

    @Test
    void anOrderThatIsRolledBackIsNeverPublished() {
        // When
        assertThatThrownBy(() -> orders.place(new Order("18", -1))).hasMessageContaining("negative");

        // Then
        orders.place(new Order("19", 1));
        posthorn.settle();
        posthorn.published().ofType("order.placed").hasPayloads("{\"id\":\"19\",\"total\":1}");
    }

    @Test
    void anEventWithoutATransactionIsRefused() {
        assertThatThrownBy(() -> orders.announce("sale")).isInstanceOf(NoTransactionException.class);

        posthorn.settle();
        posthorn.published().isEmpty();
    }

    @Test
    void aHandlingThatFailedLeavesNothingAndIsRepeated() {
        posthorn.failHandling(1);
        orders.place(new Order("20", 5));
        posthorn.settle();
        assertThat(invoicesOf("20")).isZero();

        // When
        posthorn.clock().advance(Duration.ofSeconds(1));

        // Then
        posthorn.settle();
        assertThat(invoicesOf("20")).isEqualTo(1);
    }
}
