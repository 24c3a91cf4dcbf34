package dev.posthorn.examples.springshop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.testkit.Await;
import dev.posthorn.testkit.users.TestServer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

/** As it is run: no broker, and as many instances as one likes. */
@Tag("slow")
class TwoInstancesTest {

    private static final int ORDERS = 64;

    private static ConfigurableApplicationContext start(String url) {
        return new SpringApplicationBuilder(ShopApplication.class)
                .properties("logging.level.root=warn", "spring.main.banner-mode=off")
                .run("--spring.datasource.url=" + url, "--posthorn.relay.lease-ttl=2s");
    }

    private static int number(ConfigurableApplicationContext shop, String sql) {
        return shop.getBean(JdbcClient.class).sql(sql).query(Integer.class).single();
    }

    @Test
    void twoInstancesShareTheWorkAndOneGoesOnAlone() {
        String url = TestServer.emptyDatabaseUrl();
        try (ConfigurableApplicationContext one = start(url)) {
            ConfigurableApplicationContext other = start(url);
            Await.until("lanes for both", () -> number(one, "SELECT count(DISTINCT owner) FROM posthorn.lease") == 2);

            // When
            for (int i = 0; i < ORDERS; i++) {
                (i % 2 == 0 ? one : other).getBean(Orders.class).place(new Order("order-" + i, i));
            }
            Await.until("invoices for all", () -> number(one, "SELECT count(*) FROM invoices") == ORDERS);
            other.close();

            // Then
            one.getBean(Orders.class).place(new Order("last", 1));
            Await.until("the last invoice", () -> number(one, "SELECT count(*) FROM invoices") == ORDERS + 1);
            assertThat(number(one, "SELECT count(*) FROM posthorn.inbox WHERE consumer = 'billing' AND NOT dead"))
                    .isEqualTo(ORDERS + 1);
        }
    }
}
