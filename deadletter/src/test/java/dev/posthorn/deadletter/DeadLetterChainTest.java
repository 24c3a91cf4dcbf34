package dev.posthorn.deadletter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.posthorn.deadletter.DeadLetterChain.Kept;
import dev.posthorn.event.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** A dead letter is not lost itself. */
class DeadLetterChainTest {

    private static final DeadLetterTarget BROKEN = letter -> {
        throw new IllegalStateException("the disk is full");
    };

    private final DeadLetter letter = new DeadLetter(
            UUID.randomUUID(),
            new Source("billing", "bill", Source.CONSUMER, "host-1"),
            Event.of("orders", "order.placed").json("{}").build(),
            new DeadLetter.Raw(Map.of(), new byte[0]),
            new Cause.Rejected("no"),
            Instant.EPOCH,
            Map.of());
    private final List<String> reported = new ArrayList<>();
    private final DeadLetterChain.Reports reports = new DeadLetterChain.Reports() {
        @Override
        public void failed(DeadLetterTarget target, Throwable cause) {
            reported.add("failed: " + cause.getMessage());
        }

        @Override
        public void kept(DeadLetterTarget target) {
            reported.add("kept");
        }
    };
    private final List<DeadLetter> first = new ArrayList<>();
    private final List<DeadLetter> second = new ArrayList<>();

    @Test
    void theFirstThatTakesItHasIt() {
        assertThat(DeadLetterChain.of(first::add, second::add).keep(letter, reports))
                .isEqualTo(Kept.HERE);
        assertThat(first).containsExactly(letter);
        assertThat(second).isEmpty();
    }

    @Test
    void ifTheFirstFailsTheSecondHasIt() {
        assertThat(DeadLetterChain.of(BROKEN, second::add).keep(letter, reports))
                .isEqualTo(Kept.HERE);
        assertThat(second).containsExactly(letter);
        assertThat(reported).containsExactly("failed: the disk is full", "kept");
    }

    @Test
    void ifNoneTakesItItIsNowhereAndMustComeAgain() {
        assertThat(DeadLetterChain.of(BROKEN, BROKEN).keep(letter, reports)).isEqualTo(Kept.NOWHERE);
    }

    @Test
    void theTransportHasWhatGetsAsFarAsThat() {
        assertThat(DeadLetterChain.transport().keep(letter, reports)).isEqualTo(Kept.BY_TRANSPORT);
        assertThat(DeadLetterChain.of(BROKEN, DeadLetterTarget.TRANSPORT).keep(letter, reports))
                .isEqualTo(Kept.BY_TRANSPORT);
        assertThat(DeadLetterChain.of(first::add, DeadLetterTarget.TRANSPORT).keep(letter, reports))
                .isEqualTo(Kept.HERE);
    }

    @Test
    void aCopyGoesToTheTransportAsWell() {
        DeadLetterChain both = DeadLetterChain.of(first::add).alsoToTransport();

        assertThat(both.keep(letter, reports)).isEqualTo(Kept.BY_TRANSPORT);
        assertThat(first).containsExactly(letter);
    }

    @Test
    void aCopyIsNotMadeOfWhatNobodyKept() {
        assertThat(DeadLetterChain.of(BROKEN).alsoToTransport().keep(letter, reports))
                .isEqualTo(Kept.NOWHERE);
    }

    @Test
    void aChainWithoutTargetsIsRefused() {
        assertThatThrownBy(DeadLetterChain::of).isInstanceOf(IllegalArgumentException.class);
    }
}
