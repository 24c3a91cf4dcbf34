package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesTest {

    private static final NameRules RULES =
            new NameRules("a broker", Pattern.compile("[^A-Za-z0-9._-]"), 1, 30, "letters, digits, . _ -");
    private static final Event EVENT = Event.of("shop/orders", "order:placed")
            .aggregate("order", "17")
            .tenant("acme")
            .build();

    @Test
    void theWordsOfTheDesignsAreTakenToo() {
        Names names = new NameSettings(Map.of(
                        NameSettings.EVENTS, "{prefix}-{aggregate_type}-{event_type}",
                        NameSettings.SUBSCRIBERS, "{prefix}-{subscriber_id}-{domain}",
                        NameSettings.DEAD_LETTERS, "{prefix}-{subscriber}-dlq-{domain}"))
                .applied(Names.withPrefix("shop"));

        assertThat(names.events().fill(Map.of("prefix", "shop", "aggregate-type", "order", "type", "placed")))
                .isEqualTo("shop-order-placed");
        assertThat(names.subscribers().fill(Map.of("prefix", "shop", "subscriber", "billing", "domain", "d")))
                .isEqualTo("shop-billing-d");
        assertThat(names.deadLetters().needs("subscriber")).isTrue();
    }

    @Test
    void aTypeThatNamesItsTopicGoesThereAndAllOthersAsTheTemplateSays() {
        TypeTopics topics = TypeTopics.of(Map.of(
                new TypeTopics.TypeName("orders", "Paid"), "{prefix}-money",
                new TypeTopics.TypeName("stock", "Paid"), "stock.{type}"));
        Names names = new NameSettings(Map.of(NameSettings.EVENTS, "{prefix}-all"))
                .topics(topics)
                .applied(Names.withPrefix("shop"));

        assertThat(names.events().fillFor(Event.of("orders", "Paid").build(), "shop"))
                .isEqualTo("shop-money");
        assertThat(names.events().fillFor(Event.of("stock", "Paid").build(), "shop"))
                .isEqualTo("stock.Paid");
        assertThat(names.events().fillFor(EVENT, "shop")).isEqualTo("shop-all");
        assertThat(topics.of(Subscriber.named("s").domains("orders"), "shop"))
                .containsExactly(Map.entry("shop-money", "orders"));
        assertThat(topics.of(Subscriber.named("s").types("Placed"), "shop")).isEmpty();
        assertThatThrownBy(() -> TypeTopics.checked("{tenant}-money")).hasMessageContaining("{prefix}, {domain}");
    }

    @Test
    void theStandardNamesFollowThePrefix() {
        Names names = Names.withPrefix("acme");

        assertThat(names.events().fillFor(EVENT, "acme")).isEqualTo("acme-events-shop/orders");
        assertThat(names.subscribers().fill(Map.of("prefix", "acme", "subscriber", "billing", "domain", "orders")))
                .isEqualTo("acme-billing-orders");
        assertThat(names.deadLetters().fillFor(EVENT, "acme")).isEqualTo("acme-dlq-shop/orders");
    }

    @Test
    void aTemplateMayUseDomainTypeAggregateTypeAndTenant() {
        NameTemplate template = NameTemplate.ofEvents("{tenant}.{domain}.{aggregate-type}.{type}");

        assertThat(template.fillFor(EVENT, "unused")).isEqualTo("acme.shop/orders.order.order:placed");
        assertThat(template.needs("tenant")).isTrue();
        assertThat(template.needs("prefix")).isFalse();
    }

    @Test
    void aPartThatTheEventLacksIsNamed() {
        NameTemplate template = NameTemplate.ofEvents("{tenant}-events");
        Event without = Event.of("orders", "Placed").build();

        assertThatThrownBy(() -> template.fillFor(without, "p"))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("tenant");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{nonsense}", "{domain", "domain}", "{}", "{{domain}}", "{subscriber}"})
    void whatIsNoTemplateIsRefused(String text) {
        assertThatThrownBy(() -> NameTemplate.ofEvents(text))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("{aggregate-type}");
    }

    @Test
    void aNameIsMadeToFitTheBrokersRules() {
        assertThat(RULES.fit("acme-events-shop/orders")).isEqualTo("acme-events-shop-orders");
        assertThatThrownBy(() -> RULES.fit("x".repeat(31)))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("31 characters")
                .hasMessageContaining("a broker");
        assertThatThrownBy(() -> RULES.fit("")).isInstanceOf(PosthornException.class);
    }

    @Test
    void aPatternFindsTheNamesOfAllDomainsAndNoOthers() {
        Pattern all = Names.withPrefix("a.b").events().matching(Map.of("prefix", "a.b"), RULES);

        assertThat("a.b-events-shop-orders").matches(all);
        assertThat("aXb-events-shop").doesNotMatch(all);
        assertThat("a.b-events-").doesNotMatch(all);
        assertThat("a.b-dlq-shop").doesNotMatch(all);
    }
}
