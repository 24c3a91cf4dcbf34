package dev.posthorn.tracing;

import dev.posthorn.event.Event;
import dev.posthorn.tracing.Spans.Operation;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import io.opentelemetry.api.trace.Span;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

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
            traced.add(new Traced(publication, span));
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

    /** A publication whose outcome ends its span. */
    private static final class Traced implements Publication {

        private final Publication publication;
        private final Span span;
        private final AtomicBoolean isSettled = new AtomicBoolean();

        Traced(Publication publication, Span span) {
            this.publication = publication;
            this.span = span;
        }

        @Override
        public Event event() {
            return publication.event();
        }

        @Override
        public int attempt() {
            return publication.attempt();
        }

        @Override
        public boolean isRedriven() {
            return publication.isRedriven();
        }

        @Override
        public void settle(Outcome outcome) {
            if (isSettled.compareAndSet(false, true)) {
                outcome.reduce(new EndOf(span));
                span.end();
            }
            publication.settle(outcome);
        }
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
