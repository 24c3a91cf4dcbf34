package dev.posthorn.transports.postgreslog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.NameTemplate;
import dev.posthorn.transport.Subscriber;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class PostgresLogConfigTest {

    private static final PostgresLogConfig STANDARD = PostgresLogConfig.standard();

    @Test
    void aRouteIsNamedAfterPrefixAndSubscriber() {
        assertThat(STANDARD.withPrefix("shop").routeOf(Subscriber.named("billing")))
                .isEqualTo("shop-billing");
        assertThat(STANDARD.withPrefix("a/b").withRoute("{subscriber}@{prefix}").routeOf(Subscriber.named("billing")))
                .isEqualTo("billing-a-b");
    }

    @Test
    void aNameThatIsTooLongForARouteIsNamedAtOnce() {
        Subscriber longest = Subscriber.named("b".repeat(80));

        assertThatThrownBy(() -> STANDARD.routeOf(longest))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("63");
    }

    @Test
    void everythingWrongIsReportedAtOnce() {
        assertThatThrownBy(() -> new PostgresLogConfig(
                        " ",
                        NameTemplate.ofSubscribers("{prefix}-{domain}"),
                        STANDARD.provision(),
                        STANDARD.start(),
                        STANDARD.policy(),
                        STANDARD.relay(),
                        Duration.ofMillis(1),
                        0))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("prefix")
                .hasMessageContaining("{subscriber}")
                .hasMessageContaining("{domain}")
                .hasMessageContaining("answerTime")
                .hasMessageContaining("maxPayloadBytes");
    }
}
