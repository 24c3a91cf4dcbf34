package dev.posthorn.postgres;

import dev.posthorn.inbox.ConsumerReport;
import dev.posthorn.inbox.ConsumerState;
import dev.posthorn.inbox.ConsumerStore;
import dev.posthorn.inbox.HandoverStore;
import dev.posthorn.inbox.Redriven;
import java.sql.Connection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The same as of any consumer, but that a redriven letter opens the transaction that holds it. */
final class CommandLetters implements ConsumerStore<CommandDelivery> {

    private final ConsumerStore<Connection> consumers;

    CommandLetters(ConsumerStore<Connection> consumers) {
        this.consumers = consumers;
    }

    @Override
    public ConsumerState report(ConsumerReport report) {
        return consumers.report(report);
    }

    @Override
    public void leave(String consumer, String member) {
        consumers.leave(consumer, member);
    }

    @Override
    public List<Redriven> redriven(String consumer, int limit) {
        return consumers.redriven(consumer, limit);
    }

    @Override
    public boolean take(CommandDelivery delivery, UUID letter) {
        return consumers.take(delivery.open(), letter);
    }

    @Override
    public Optional<HandoverStore> handovers() {
        return consumers.handovers();
    }

    @Override
    public void deadAgain(UUID letter, String reason) {
        consumers.deadAgain(letter, reason);
    }
}
