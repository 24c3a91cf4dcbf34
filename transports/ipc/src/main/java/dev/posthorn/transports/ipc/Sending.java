package dev.posthorn.transports.ipc;

import dev.posthorn.event.Event;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicBoolean;

/** A publication on its way to one hub or several; settled when all have answered, or one has not taken it. */
final class Sending {

    private final Publication publication;
    private final Unroutable unroutable;
    private final ByteBuffer headers;
    private final ByteBuffer payload;
    private final AtomicBoolean settled = new AtomicBoolean();
    /** Touched by the reactor's thread. */
    private int missing;

    private boolean wanted;

    Sending(Publication publication, Unroutable unroutable, int hubs) {
        this.publication = publication;
        this.unroutable = unroutable;
        this.missing = hubs;
        this.headers = Frames.headers(publication.event());
        this.payload = publication.event().payload();
    }

    /** How long its message is. */
    int size() {
        return headers.remaining() + payload.remaining();
    }

    ByteBuffer headers() {
        return headers.duplicate();
    }

    ByteBuffer payload() {
        return payload.duplicate();
    }

    /** One more hub has it, or nobody there wants it. */
    void arrived(boolean somebodyWantsIt) {
        wanted |= somebodyWantsIt;
        missing--;
        if (missing <= 0) {
            settle(
                    wanted || unroutable == Unroutable.ACCEPT
                            ? Outcome.accepted()
                            : Outcome.failed(nobody(publication.event())));
        }
    }

    private static String nobody(Event event) {
        return "no subscriber wants events of the domain " + event.domain() + " and the type " + event.type();
    }

    void settle(Outcome outcome) {
        if (settled.compareAndSet(false, true)) {
            publication.settle(outcome);
        }
    }
}
