package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchedTest {

    private final List<String> told = new ArrayList<>();
    private final Publication publication = new Publication() {

        private final Event event =
                Event.of("shop", "order.placed").key("17").json("{}").build();

        @Override
        public Event event() {
            return event;
        }

        @Override
        public int attempt() {
            return 3;
        }

        @Override
        public boolean isRedriven() {
            return true;
        }

        @Override
        public void settle(Outcome outcome) {
            told.add("settled " + outcome);
        }
    };

    @Test
    void theWatcherHearsOfTheFirstOutcomeAndBeforeAnybodyElse() {
        Publication watched = publication.watched(outcome -> told.add("watched " + outcome));

        watched.settle(Outcome.ACCEPTED);
        watched.settle(Outcome.failed("too late"));

        assertThat(told)
                .containsExactly(
                        "watched " + Outcome.ACCEPTED,
                        "settled " + Outcome.ACCEPTED,
                        "settled " + Outcome.failed("too late"));
    }

    @Test
    void elseItIsThePublicationItself() {
        Publication watched = publication.watched(outcome -> {});

        assertThat(watched.event()).isSameAs(publication.event());
        assertThat(watched.attempt()).isEqualTo(3);
        assertThat(watched.isRedriven()).isTrue();
    }
}
