package dev.posthorn.tracing;

import dev.posthorn.tracing.Spans.Operation;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import io.opentelemetry.api.trace.Span;
import java.util.ArrayList;
import java.util.List;

/** A span for each publication, from handing it over to its outcome. The event itself stays as it was. */
final class TracedPublisher implements Publisher {

    private final Publisher publisher;
    private final Spans spans;

    TracedPublisher(Publisher publisher, Spans spans) {
        this.publisher = publisher;
        this.spans = spans;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        List<Publication> traced = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            Span span = spans.follow(Operation.PUBLISH, publication.event())
                    .setAttribute(Spans.ATTEMPT, (long) publication.attempt())
                    .startSpan();
            traced.add(publication.watched(outcome -> {
                outcome.reduce(new EndOf(span));
                span.end();
            }));
        }
        publisher.publish(traced);
    }

    @Override
    public int longestRun() {
        return publisher.longestRun();
    }

    @Override
    public void close() {
        publisher.close();
    }

    /** Writes down what did not go through. */
    private record EndOf(Span span) implements Outcome.Cases<Span> {

        @Override
        public Span accepted() {
            return span;
        }

        @Override
        public Span refused(String reason) {
            return failed("refused", reason);
        }

        @Override
        public Span failed(String reason) {
            return failed("failed", reason);
        }

        @Override
        public Span unavailable(String reason) {
            return failed("unavailable", reason);
        }

        @Override
        public Span unknown(String reason) {
            return failed("unknown", reason);
        }

        private Span failed(String type, String reason) {
            Spans.failed(span, type, reason);
            return span;
        }
    }
}
