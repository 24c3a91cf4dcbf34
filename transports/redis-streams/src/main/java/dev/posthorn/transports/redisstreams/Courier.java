package dev.posthorn.transports.redisstreams;

import dev.posthorn.event.PosthornException;
import dev.posthorn.transport.DestinationKind;
import dev.posthorn.transport.EventMessage;
import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import io.lettuce.core.XAddArgs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sends events over one connection, those of a call in one write, and settles each by its own answer. A stream is put
 * into the registry before the first event that goes there. Thread-safe.
 */
final class Courier implements AutoCloseable {

    private final Link link;
    private final RedisStreamsConfig config;
    private final StreamNames names;
    private final Set<Parcel> underway = ConcurrentHashMap.newKeySet();
    private final Map<String, CompletionStage<?>> announced = new ConcurrentHashMap<>();
    /** Streams by whether an event may create them; until it is registered that they exist, or they are missing. */
    private final Map<String, Boolean> creatable = new ConcurrentHashMap<>();

    private final Set<String> noted = ConcurrentHashMap.newKeySet();

    private final Set<String> appeared = ConcurrentHashMap.newKeySet();
    private final Set<String> absent = ConcurrentHashMap.newKeySet();
    private volatile @Nullable Outcome ended;
    private volatile long answeredAt = System.nanoTime();

    Courier(Link link, RedisStreamsConfig config, StreamNames names) {
        this.link = link;
        this.config = config;
        this.names = names;
        link.gather();
        link.onLost(() -> end(Outcome.unavailable("the connection was lost before Redis answered")));
    }

    boolean isOpen() {
        return ended == null && link.isOpen();
    }

    void send(List<Publication> publications) {
        synchronized (link) { // a call stays together, so that it is one write
            publications.forEach(publication -> send(new Parcel(publication)));
            link.flush();
        }
        Outcome outcome = ended;
        if (outcome != null) {
            end(outcome); // it may have ended before these were underway
        }
    }

    private void send(Parcel parcel) {
        long size = parcel.event().payloadSize();
        if (size > config.maxMessageBytes()) {
            parcel.settle(Outcome.refused("its payload has " + size + " bytes, and the Redis Streams transport takes "
                    + config.maxMessageBytes() + " (maxMessageBytes)"));
            return;
        }
        String stream;
        try {
            EventMessage.requireReadable(parcel.event());
            stream = names.streamOf(parcel.event());
        } catch (PosthornException impossible) {
            parcel.settle(Outcome.refused(String.valueOf(impossible.getMessage())));
            return;
        }
        if (!isOpen()) {
            parcel.settle(Outcome.unavailable("the connection to Redis is lost"));
            return;
        }
        try {
            boolean create = mayCreate(stream);
            underway.add(parcel);
            add(parcel, stream, create);
        } catch (PosthornException unregistered) {
            parcel.settle(Outcome.unavailable(String.valueOf(unregistered.getMessage())));
        }
    }

    private boolean mayCreate(String stream) {
        if (!config.provision().creates()) {
            return false;
        }
        return creatable.computeIfAbsent(
                stream, any -> !config.provision().register().isKnown(DestinationKind.STREAM, stream));
    }

    private void add(Parcel parcel, String stream, boolean create) {
        if (config.provision().creates()) {
            announced.computeIfAbsent(stream, any -> announce(stream, names.domainOf(parcel.event())));
        }
        XAddArgs options = new XAddArgs().nomkstream(!create);
        var unused = link.commands()
                .xadd(Link.bytes(stream), options, Fields.of(parcel.event()))
                .whenComplete((id, failure) -> answered(parcel, stream, id, failure));
    }

    /** Its answer comes before that of the event. Until then the event is not accepted: not all would find it. */
    private CompletionStage<?> announce(String stream, String domain) {
        return link.commands()
                .hset(Link.bytes(names.registry()), Link.bytes(stream), Link.bytes(domain))
                .toCompletableFuture();
    }

    private void answered(Parcel parcel, String stream, @Nullable String id, @Nullable Throwable failure) {
        underway.remove(parcel);
        answeredAt = System.nanoTime();
        CompletionStage<?> registered = announced.get(stream);
        if (failure != null) {
            parcel.settle(Replies.outcomeOf(failure, stream));
        } else if (id == null) {
            noted.remove(stream);
            absent.add(stream);
            parcel.settle(Outcome.unavailable(config.provision().missing(DestinationKind.STREAM, stream)));
        } else if (registered != null && registered.toCompletableFuture().isCompletedExceptionally()) {
            announced.remove(stream, registered);
            parcel.settle(Outcome.unavailable(
                    "the stream " + stream + " could not be entered in " + names.registry() + "; is HSET allowed?"));
        } else {
            if (noted.add(stream)) {
                appeared.add(stream);
            }
            parcel.settle(Outcome.accepted());
        }
    }

    /** Called from time to time, because the register waits for its store and the connection's threads must not. */
    void register() {
        for (String stream : List.copyOf(appeared)) {
            config.provision().found(DestinationKind.STREAM, stream);
            appeared.remove(stream);
            creatable.remove(stream);
        }
        for (String stream : List.copyOf(absent)) {
            config.provision().register().missing(DestinationKind.STREAM, stream);
            absent.remove(stream);
            creatable.remove(stream);
        }
    }

    /**
     * Ends the connection if something on it has waited for too long: what comes later can not be told apart. Redis answers in
     * the order of what it was sent, so as long as answers come, what is behind them has not waited in vain.
     */
    void giveUpOverdue() {
        long patience = config.timing().answer().toNanos();
        boolean silent = System.nanoTime() - answeredAt > patience;
        if (silent && underway.stream().anyMatch(parcel -> parcel.isOlderThan(patience))) {
            end(Outcome.unknown(
                    "Redis did not answer within " + config.timing().answer().toMillis() + " ms"));
        }
    }

    /** Settles first: the end of the connection would be the next thing that is said about what is under way. */
    private void end(Outcome outcome) {
        ended = outcome;
        for (Parcel parcel : List.copyOf(underway)) {
            underway.remove(parcel);
            parcel.settle(outcome);
        }
        link.close();
    }

    @Override
    public void close() {
        end(Outcome.unknown("the publisher was closed before Redis answered"));
    }
}
