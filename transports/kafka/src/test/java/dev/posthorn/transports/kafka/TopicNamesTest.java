package dev.posthorn.transports.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Names;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transport.TypeTopics;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TopicNamesTest {

    private final Names names = Names.withPrefix("shop");
    private final TopicNames standard = new TopicNames(names);

    @Test
    void aTopicHasPrefixAndDomainWithForeignCharactersReplaced() {
        assertThat(standard.topicOf(Event.of("orders", "Placed").build())).isEqualTo("shop-events-orders");
        assertThat(new TopicNames(Names.withPrefix("my shop"))
                        .topicOf(Event.of("orders", "Placed").build()))
                .isEqualTo("my-shop-events-orders");
    }

    @Test
    void topicsAreKnownWhereTheSubscriberSaysWhatTheNameNeeds() {
        Subscriber two = Subscriber.named("s").domains("orders", "stock");
        TopicNames byType = new TopicNames(names.events("{prefix}-{domain}-{type}"));

        assertThat(standard.topicsOf(two).orElseThrow()).containsExactly("shop-events-orders", "shop-events-stock");
        assertThat(standard.topicsOf(Subscriber.named("s"))).isEmpty();
        assertThat(byType.topicsOf(two)).isEmpty();
        assertThat(byType.topicsOf(two.types("A", "B")).orElseThrow()).hasSize(4);
    }

    @Test
    void aPatternMatchesTheTopicsOfTheSubscriberAndNoDeadLetters() {
        String all = standard.patternOf(Subscriber.named("s")).pattern();
        TopicNames byTenant = new TopicNames(names.events("{prefix}-{domain}-{tenant}"));
        String orders = byTenant.patternOf(Subscriber.named("s").domains("orders", "stock"))
                .pattern();

        assertThat("shop-events-orders").matches(all);
        assertThat("shop-dlq-orders").doesNotMatch(all);
        assertThat("another-shop-events-orders").doesNotMatch(all);
        assertThat("shop-orders-t1").matches(orders);
        assertThat("shop-payments-t1").doesNotMatch(orders);
    }

    @Test
    void aTypeThatNamesItsTopicIsPublishedAndReadThere() {
        TopicNames own =
                new TopicNames(names.topics(TypeTopics.of(Map.of(new TypeTopics.TypeName("orders", "Paid"), "money"))));
        Subscriber orders = Subscriber.named("s").domains("orders");

        assertThat(own.topicOf(Event.of("orders", "Placed").build())).isEqualTo("shop-events-orders");
        assertThat(own.topicOf(Event.of("orders", "Paid").build())).isEqualTo("money");
        assertThat(own.topicsOf(orders).orElseThrow()).containsExactly("money", "shop-events-orders");
        assertThat("money").matches(own.patternOf(Subscriber.named("s")).pattern());
        assertThat(own.deadLetterTopic("money", Map.of())).isEqualTo("shop-dlq-orders");
    }

    @Test
    void theTopicDecidesWhereADeadLetterGoesAndNotTheMessage() {
        assertThat(standard.deadLetterTopic("shop-events-orders", Map.of("posthorn-domain", "elsewhere")))
                .isEqualTo("shop-dlq-orders");
        assertThat(new TopicNames(names.events("{prefix}-all")).deadLetterTopic("shop-all", Map.of()))
                .isEqualTo("shop-dlq-unknown");
    }
}
