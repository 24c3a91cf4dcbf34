package dev.posthorn.transports.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.Subscriber;
import dev.posthorn.transports.rabbitmq.Routing.Shards;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RoutingTest {

    private static final Shards ALONE = new Shards(0, 1);
    private static final Routing PLAIN = Routing.STANDARD.slotted(false);

    @Test
    void aKeyIsDomainTypeAndSlot() {
        Event event = Event.of("orders", "Placed").key("k").build();

        assertThat(Routing.STANDARD.keyOf(event, "p")).matches("orders\\.Placed\\.([0-9]|1[0-5])");
        assertThat(PLAIN.keyOf(event, "p")).isEqualTo("orders.Placed");
    }

    @Test
    void aDotWithinADomainOrTypeDoesNotMakeAnotherWord() {
        Event event = Event.of("eu.orders", "order.placed").build();

        assertThat(PLAIN.keyOf(event, "p")).isEqualTo("eu~orders.order~placed");
        assertThat(PLAIN.patternsOf(Subscriber.named("s").domains("eu.orders"), "p", ALONE))
                .containsExactly("eu~orders.*");
    }

    @Test
    void everyEventOfAKeyHasTheSameSlotAndKeysAreSpreadOverAll() {
        Set<Integer> slots = new HashSet<>();
        for (int i = 0; i < 500; i++) {
            String key = "key-" + i;
            int slot = Routing.slotOf(Event.of("a", "A").key(key).build());
            assertThat(Routing.slotOf(Event.of("b", "B").key(key).build())).isEqualTo(slot);
            slots.add(slot);
        }

        assertThat(slots).hasSize(Routing.SLOTS);
    }

    @Test
    void theSlotOfAKeyNeverChanges() {
        assertThat(List.of("a", "key-1", "customer-4711").stream()
                        .map(key -> Routing.slotOf(Event.of("d", "T").key(key).build())))
                .containsExactly(5, 9, 1);
    }

    @Test
    void everySlotBelongsToExactlyOneShard() {
        for (int count = 1; count <= Routing.SLOTS; count++) {
            int all = count;
            List<Integer> slots = new ArrayList<>();
            IntStream.range(0, all).forEach(i -> slots.addAll(new Shards(i, all).slots()));

            assertThat(slots)
                    .containsExactlyInAnyOrderElementsOf(
                            IntStream.range(0, Routing.SLOTS).boxed().toList());
        }
    }

    @Test
    void aSubscriberIsBoundForEachDomainAndType() {
        Subscriber subscriber = Subscriber.named("s").domains("a", "b").types("X", "Y");

        assertThat(PLAIN.patternsOf(subscriber, "p", ALONE)).containsExactlyInAnyOrder("a.X", "a.Y", "b.X", "b.Y");
        assertThat(PLAIN.patternsOf(Subscriber.named("s").types("X"), "p", ALONE))
                .containsExactly("*.X");
        assertThat(PLAIN.patternsOf(Subscriber.named("s"), "p", ALONE)).containsExactly("*.*");
    }

    @Test
    void theFirstShardAlsoTakesKeysWithoutASlotAndNoOtherDoes() {
        Subscriber subscriber = Subscriber.named("s").domains("a");

        assertThat(Routing.STANDARD.patternsOf(subscriber, "p", new Shards(0, 8)))
                .containsExactlyInAnyOrder("a.*.0", "a.*.8", "a.*");
        assertThat(Routing.STANDARD.patternsOf(subscriber, "p", new Shards(1, 8)))
                .containsExactlyInAnyOrder("a.*.1", "a.*.9");
        assertThat(Routing.STANDARD.patternsOf(subscriber, "p", ALONE)).containsExactlyInAnyOrder("a.*.*", "a.*");
    }

    @Test
    void aTemplateWithoutTheDomainIsBoundForAnyWordThere() {
        Routing byAggregate = PLAIN.key("{aggregate-type}.{type}");

        assertThat(byAggregate.patternsOf(
                        Subscriber.named("s").domains("orders").types("created"), "p", ALONE))
                .containsExactly("*.created");
        assertThat(byAggregate.keyOf(
                        Event.of("orders", "created").aggregate("order", "1").build(), "p"))
                .isEqualTo("order.created");
    }

    @Test
    void anEventThatLacksAPartOfTheKeyOrMakesItTooLongHasNone() {
        Event event = Event.of("d".repeat(200), "t".repeat(200)).build();

        assertThatThrownBy(() -> PLAIN.keyOf(event, "p"))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("255");
        assertThatThrownBy(() -> PLAIN.key("{tenant}.{type}").keyOf(event, "p"))
                .isInstanceOf(PosthornException.class)
                .hasMessageContaining("tenant");
    }

    @Test
    void patternsOfTheirOwnAreTakenAsTheyAreWithTheSlotBehind() {
        Routing own = Routing.STANDARD.bind("erp.sync", "invoice.*", "#");
        Subscriber subscriber = Subscriber.named("erp.sync").domains("ignored");

        assertThat(own.slotted(false).patternsOf(subscriber, "p", ALONE)).containsExactlyInAnyOrder("invoice.*", "#");
        assertThat(own.patternsOf(subscriber, "p", new Shards(0, 16))).containsExactlyInAnyOrder("invoice.*.0", "#.0");
    }
}
