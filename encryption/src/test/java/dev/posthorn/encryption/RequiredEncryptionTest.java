package dev.posthorn.encryption;

import static org.assertj.core.api.Assertions.assertThat;

import dev.posthorn.event.Event;
import dev.posthorn.event.EventBuilder;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RequiredEncryptionTest {

    private static final byte[] BYTES = {1, 2, 3};
    private static final String REFERENCE = "application/vnd.posthorn.claim+json";

    private final List<String> published = new ArrayList<>();
    private final List<String> settled = new ArrayList<>();
    private final Publisher publisher = Encryption.required(new Publisher() {
        @Override
        public void publish(List<? extends Publication> publications) {
            publications.forEach(one -> published.add(one.event().type()));
        }

        @Override
        public void close() {}
    });

    private record Tracked(Event event, List<String> settled) implements Publication {
        @Override
        public int attempt() {
            return 1;
        }

        @Override
        public void settle(Outcome outcome) {
            settled.add(event.type() + " " + outcome.getClass().getSimpleName());
        }
    }

    @Test
    void ciphertextAndReferencesToItPassAndNothingElse() {
        publish(
                of("encrypted").payload(BYTES, Encryption.CONTENT_TYPE),
                of("kept-elsewhere").payload(BYTES, REFERENCE).header(Encryption.KEY_HEADER, "7"),
                of("plain").json("{}"),
                of("plain-elsewhere").payload(BYTES, REFERENCE));

        assertThat(published).containsExactly("encrypted", "kept-elsewhere");
        assertThat(settled).containsExactly("plain Refused", "plain-elsewhere Refused");
    }

    private static EventBuilder of(String type) {
        return Event.of("shop", type);
    }

    private void publish(EventBuilder... events) {
        List<Publication> publications = new ArrayList<>();
        for (EventBuilder event : events) {
            publications.add(new Tracked(event.build(), settled));
        }
        publisher.publish(publications);
    }
}
