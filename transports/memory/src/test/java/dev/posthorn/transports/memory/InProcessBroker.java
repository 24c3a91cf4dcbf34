package dev.posthorn.transports.memory;

import dev.posthorn.event.Event;
import dev.posthorn.testkit.BrokerFaults;
import dev.posthorn.testkit.TestBroker;
import dev.posthorn.transport.Bus;
import dev.posthorn.transport.Subscriber;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The broker is this process; one transport for each prefix, and closing it is the last thing. */
final class InProcessBroker implements TestBroker {

    private final Map<String, MemoryTransport> transports = new HashMap<>();

    @Override
    public Bus open(String prefix) {
        return new SharedBus(transports.computeIfAbsent(
                prefix, any -> MemoryTransport.builder().build()));
    }

    @Override
    public Bus openLenient(String prefix) {
        return open(prefix);
    }

    @Override
    public boolean inject(String prefix, String domain, byte[] bytes) {
        return false;
    }

    @Override
    public List<byte[]> deadLetters(String prefix, Subscriber subscriber, String domain) {
        return transports.getOrDefault(prefix, MemoryTransport.builder().build()).deadLetters().stream()
                .map(DeadLetter::event)
                .filter(event -> event.domain().equals(domain))
                .map(Event::payloadBytes)
                .toList();
    }

    @Override
    public List<String> deadLetterHeaders(String prefix, Subscriber subscriber, String domain) {
        return transports.getOrDefault(prefix, MemoryTransport.builder().build()).deadLetters().stream()
                .map(letter -> letter.event() + letter.reason() + letter.about())
                .toList();
    }

    @Override
    public Optional<BrokerFaults> faults() {
        return Optional.empty();
    }

    @Override
    public void close() {
        transports.values().forEach(MemoryTransport::close);
    }
}
