package dev.posthorn.transport;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.event.PosthornException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScreenedPublisherTest {

    private final List<Publication> published = new ArrayList<>();
    private final List<String> told = new ArrayList<>();
    private final Publisher broker = new Publisher() {
        @Override
        public void publish(List<? extends Publication> publications) {
            published.addAll(publications);
        }

        @Override
        public int longestRun() {
            return 7;
        }

        @Override
        public void close() {
            told.add("closed");
        }
    };
    private final Publisher screened = new ScreenedPublisher(broker, event -> {
        if (event.type().startsWith("bad")) {
            throw new PosthornException("it is bad");
        }
        if (event.type().equals("broken")) {
            throw new IllegalStateException("a bug");
        }
        return event.type().equals("other") ? event.withHeader("seen", "yes") : event;
    });

    @Test
    void whatPassesIsPublishedAsItIs() {
        List<Publication> call = List.of(told("a", "k"), told("b", "k"));

        screened.publish(call);

        assertThat(published).isEqualTo(call);
    }

    @Test
    void whatIsChangedTravelsInTheSamePublication() {
        screened.publish(List.of(told("a", "k"), told("other", "k")));

        assertThat(published.get(1).event().headers()).containsEntry("seen", "yes");
        published.forEach(one -> one.settle(Outcome.accepted()));
        assertThat(told).containsExactly("a accepted", "other accepted");
    }

    @Test
    void whatDoesNotPassIsRefusedWithTheReasonAndNotPublished() {
        screened.publish(List.of(told("bad", null), told("broken", "x"), told("a", null)));

        assertThat(types()).containsExactly("a");
        assertThat(told).containsExactly("bad refused it is bad", "broken refused IllegalStateException: a bug");
    }

    @Test
    void nothingIsPublishedBehindARefusedEventOfItsKey() {
        screened.publish(List.of(told("bad", "k"), told("a", "k"), told("b", "other")));

        assertThat(types()).containsExactly("b");
        assertThat(told).first().isEqualTo("bad refused it is bad");
        assertThat(told).last().asString().startsWith("a failed");
    }

    @Test
    void aRefusalWaitsForThoseOfItsKeyBeforeIt() {
        screened.publish(List.of(told("a", "k"), told("bad", "k"), told("b", "k"), told("bad2", "k")));
        assertThat(told).isEmpty();

        published.get(0).settle(Outcome.accepted());
        published.get(0).settle(Outcome.accepted());

        assertThat(types()).containsExactly("a");
        assertThat(told).hasSize(4);
        assertThat(told.subList(0, 2)).containsExactly("a accepted", "bad refused it is bad");
        assertThat(told.subList(2, 4)).allMatch(one -> one.contains("failed an event of its key before it"));
    }

    @Test
    void behindAnEventThatDidNotGoThroughNothingIsRefused() {
        screened.publish(List.of(told("a", "k"), told("bad", "k")));

        published.get(0).settle(Outcome.unavailable("down"));

        assertThat(told.get(0)).isEqualTo("a unavailable down");
        assertThat(told.get(1)).startsWith("bad failed an event of its key before it");
    }

    @Test
    void runsAndTheEndArePassedOn() {
        assertThat(screened.longestRun()).isEqualTo(7);
        screened.close();
        assertThat(told).containsExactly("closed");
    }

    private List<String> types() {
        return published.stream().map(one -> one.event().type()).toList();
    }

    private Publication told(String type, @org.jspecify.annotations.Nullable String key) {
        Event event = Event.of("shop", type).key(key).json("1").build();
        return new Publication() {
            @Override
            public Event event() {
                return event;
            }

            @Override
            public int attempt() {
                return 1;
            }

            @Override
            public void settle(Outcome outcome) {
                told.add(type + " " + text(outcome));
            }
        };
    }

    private static String text(Outcome outcome) {
        return outcome.reduce(new Outcome.Cases<>() {
            @Override
            public String accepted() {
                return "accepted";
            }

            @Override
            public String refused(String reason) {
                return "refused " + reason;
            }

            @Override
            public String failed(String reason) {
                return "failed " + reason;
            }

            @Override
            public String unavailable(String reason) {
                return "unavailable " + reason;
            }

            @Override
            public String unknown(String reason) {
                return "unknown " + reason;
            }
        });
    }
}
