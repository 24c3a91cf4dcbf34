package dev.posthorn.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.event.Event;
import dev.posthorn.relay.MemoryBudget.Account;
import dev.posthorn.relay.MemoryBudget.Reservation;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

    private static final long LIMIT = 64L << 20;
    private static final int MANY = 1_000_000;

    private final MemoryBudget budget = new MemoryBudget(LIMIT);

    @Test
    void theReservationsOfAllRelaysStayWithinTheBudget() {
        // Given
        Account[] relays = new Account[8];
        for (int i = 0; i < relays.length; i++) {
            relays[i] = budget.open(() -> {});
        }

        // When
        for (int round = 0; round < 100; round++) {
            for (Account relay : relays) {
                relay.reserve(MANY);
            }
        }

        // Then
        assertThat(budget.used()).isLessThanOrEqualTo(LIMIT / 2);
    }

    @Test
    void aRelayThatTakesAllItCanLeavesTheOthersTheirPart() {
        // Given
        Account greedy = budget.open(() -> {});
        Account modest = budget.open(() -> {});
        while (greedy.reserve(MANY).rows() > 0) {
            assertThat(budget.used()).isLessThanOrEqualTo(LIMIT);
        }

        // When
        Reservation reserved = modest.reserve(MANY);

        // Then
        assertThat(greedy.waiting()).isPositive();
        assertThat(reserved.bytes()).isGreaterThan(LIMIT / 4 / 2 - 2 * MemoryBudget.LARGEST_ROW);
        assertThat(modest.waiting()).isZero();
    }

    /** A backlog of small rows must not be read in small pages for long. */
    @Test
    void theFirstReadTellsHowMuchRowsTake() {
        // Given
        Account relay = budget.open(() -> {});
        Reservation first = relay.reserve(MANY);

        // When
        relay.took(first, 0, 600);

        // Then
        assertThat(relay.reserve(MANY).rows()).isGreaterThan(2 * first.rows());
    }

    /** Rows that were small for long may be large from now on: the risk of all reads together is bounded as well. */
    @Test
    void whatTheRowsOfAllReadsCouldTakeIsAtMostTwiceTheBudget() {
        // Given
        Account[] relays = new Account[8];
        for (int i = 0; i < relays.length; i++) {
            relays[i] = budget.open(() -> {});
            for (int page = 0; page < 500; page++) {
                relays[i].took(relays[i].reserve(1), 0, 600);
            }
        }

        // When
        long rows = 0;
        for (Account relay : relays) {
            rows += relay.reserve(MANY).rows();
        }

        // Then
        assertThat(rows).isGreaterThan(LIMIT / 2 / MemoryBudget.LARGEST_ROW);
        assertThat(rows * MemoryBudget.LARGEST_ROW).isLessThanOrEqualTo(2 * LIMIT);
    }

    @Test
    void aRelayThatHoldsNothingMayAlwaysReadARow() {
        for (int i = 0; i < 10_000; i++) {
            assertThat(budget.open(() -> {}).reserve(MANY).rows()).isPositive();
        }
    }

    @Test
    void aRelayThatWaitsIsWokenWhenAnotherLetsGo() {
        // Given
        AtomicInteger woken = new AtomicInteger();
        Account other = budget.open(() -> {});
        Account waiting = budget.open(woken::incrementAndGet);
        Reservation taken = other.reserve(MANY);
        while (waiting.reserve(MANY).rows() > 0) {
            assertThat(woken).hasValue(0);
        }
        assertThat(budget.waiting()).isEqualTo(1);

        // When
        other.took(taken, 0, 600);

        // Then
        assertThat(woken).hasPositiveValue();
        assertThat(waiting.reserve(MANY).rows()).isPositive();
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void largeEventsAreServedInTheOrderOfAsking() {
        // Given
        Account first = budget.open(() -> {});
        Account second = budget.open(() -> {});
        Account third = budget.open(() -> {});
        assertThat(first.fetch(10 << 20)).isTrue();

        // When
        assertThat(second.fetch(12 << 20)).as("there is too little left").isFalse();
        assertThat(third.fetch(1 << 20))
                .as("it would fit, but another one asked before")
                .isFalse();
        first.dropped(10 << 20);

        // Then
        assertThat(third.fetch(1 << 20)).isFalse();
        assertThat(second.fetch(12 << 20)).isTrue();
        assertThat(third.fetch(1 << 20)).isTrue();
        assertThat(budget.waiting()).isZero();
    }

    @Test
    void aRelayThatEndsGivesEverythingBackAndLetsOthersPass() {
        // Given
        Account first = budget.open(() -> {});
        Account second = budget.open(() -> {});
        Account third = budget.open(() -> {});
        first.fetch(16 << 20);
        second.fetch(16 << 20);
        first.reserve(MANY);

        // When
        first.close();
        second.close();

        // Then
        assertThat(budget.used()).isZero();
        assertThat(third.fetch(16 << 20)).isTrue();
    }

    @Test
    void aShortageIsReportedInWords() {
        Account relay = budget.open(() -> {});
        while (relay.reserve(MANY).rows() > 0) {
            assertThat(relay.waiting()).isEqualTo(Duration.ZERO);
        }

        assertThat(relay.shortage())
                .matches("it waits for memory for 0 s: the relays of this process use \\d+ MB of 64 MB");
    }

    @Test
    void aLimitMustFitInTheHeap() {
        assertThatThrownBy(() -> budget.setLimit(1 << 20)).hasMessageContaining("must be 8 MB to");
        assertThatThrownBy(() -> budget.setLimit(Long.MAX_VALUE)).hasMessageContaining("the largest heap");
    }

    @Test
    void everythingOfAnEventIsCounted() {
        Event small = Event.of("shop", "order.placed").build();
        Event large = Event.of("shop", "order.placed")
                .key("k".repeat(1_000))
                .aggregate("a".repeat(1_000), "a".repeat(1_000))
                .tenant("t".repeat(1_000))
                .correlationId("c".repeat(1_000))
                .causationId("c".repeat(1_000))
                .header("h".repeat(1_000), "v".repeat(1_000))
                .payload(new byte[1_000], "x".repeat(1_000))
                .build();

        assertThat(LogEvent.of(0, 1, large).bytes() - LogEvent.of(0, 1, small).bytes())
                .isGreaterThan(9 * 1_000)
                .isLessThan(25_000);
    }
}
