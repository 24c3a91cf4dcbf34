package dev.posthorn.claimcheck;

import dev.posthorn.event.Event;
import dev.posthorn.outbox.Change;
import dev.posthorn.outbox.Commit;
import dev.posthorn.outbox.Emission;
import dev.posthorn.outbox.EmitOption;
import dev.posthorn.outbox.Outbox;
import dev.posthorn.outbox.PayloadTooLargeException;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An outbox that keeps large payloads elsewhere: registers the reference in the transaction, puts the payload, and emits the
 * event with the reference.
 *
 * <p>The payload is in the store before the event is in the log, so no reader is ahead of it. If the transaction is rolled
 * back an orphan stays, which a {@link PayloadCollector} removes.
 *
 * <p>An emit with a large payload takes one more round trip to the database and one call to the store for each of them, all
 * with the transaction open. Others cost nothing more.
 *
 * <p>Beside what {@link Outbox} throws: {@link PayloadStoreException} if the store did not take a payload. Nothing was
 * emitted then, and the transaction is as it was. Thread-safe.
 */
public final class ClaimingOutbox implements Outbox {

    private final Outbox outbox;
    private final PayloadStore store;
    private final ClaimRegister register;
    private final ClaimCheckConfig config;

    public ClaimingOutbox(Outbox outbox, PayloadStore store, ClaimRegister register, ClaimCheckConfig config) {
        this.outbox = outbox;
        this.store = store;
        this.register = register;
        this.config = config;
    }

    @Override
    public Emission emit(Connection connection, Collection<Event> events, EmitOption... options) {
        return outbox.emit(connection, claimed(connection, events), options);
    }

    @Override
    public Commit commit(Connection connection, Change change, Collection<Event> events, EmitOption... options) {
        return outbox.commit(connection, change, claimed(connection, events), options);
    }

    private List<Event> claimed(Connection connection, Collection<Event> events) {
        List<Event> small = new ArrayList<>(events.size());
        List<Claim> claims = new ArrayList<>();
        Map<PayloadKey, Event> payloads = new LinkedHashMap<>();
        for (Event event : events) {
            if (event.payloadSize() > config.maxPayloadBytes()) {
                throw new PayloadTooLargeException(event, config.maxPayloadBytes());
            }
            if (event.payloadSize() > config.threshold()) {
                PayloadReference reference = PayloadReference.to(event);
                claims.add(Claim.of(event.id(), reference));
                payloads.put(reference.key(), event);
                small.add(reference.in(event));
            } else {
                passedOn(event).ifPresent(claims::add);
                small.add(event);
            }
        }
        if (!claims.isEmpty()) {
            register.register(connection, claims); // before the first byte: from here on nobody sweeps them
        }
        payloads.forEach((key, event) -> store.put(key, event.payload()));
        return small;
    }

    /** An event that came as a reference, and is emitted again as it is, needs the payload as long as the first. */
    private static Optional<Claim> passedOn(Event event) {
        return PayloadReference.isIn(event)
                ? PayloadReference.read(event).map(reference -> Claim.of(event.id(), reference))
                : Optional.empty();
    }
}
