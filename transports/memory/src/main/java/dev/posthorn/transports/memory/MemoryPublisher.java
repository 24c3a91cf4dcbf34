package dev.posthorn.transports.memory;

import dev.posthorn.transport.Outcome;
import dev.posthorn.transport.Publication;
import dev.posthorn.transport.Publisher;
import java.util.ArrayList;
import java.util.List;

/** Puts events into the subscribers' queues; keeps no state but whether it is closed. */
final class MemoryPublisher implements Publisher {

    private final MemoryTransport transport;
    private volatile boolean closed;

    MemoryPublisher(MemoryTransport transport) {
        this.transport = transport;
    }

    @Override
    public void publish(List<? extends Publication> publications) {
        if (closed || transport.isClosed()) {
            publications.forEach(publication -> publication.settle(Outcome.unavailable(MemoryTransport.CLOSED)));
            return;
        }
        List<MemoryGroup> groups = transport.groups();
        if (groups.isEmpty()) {
            publications.forEach(publication -> publication.settle(Outcome.accepted()));
            return;
        }
        List<Ticket> tickets = ticketsFor(publications, groups);
        for (MemoryGroup group : groups) {
            List<Ticket> wanted = tickets;
            if (!group.subscriber().wantsAll()) {
                wanted = tickets.stream()
                        .filter(ticket -> group.subscriber().wants(ticket.event()))
                        .toList();
            }
            if (!group.offer(wanted)) {
                wanted.forEach(this::passOver);
            }
        }
        if (closed) {
            withdraw();
        }
    }

    /** Closes in between are not overlooked: {@link #publish} looks again after it has put its tickets in. */
    @Override
    public void close() {
        closed = true;
        withdraw();
    }

    private List<Ticket> ticketsFor(List<? extends Publication> publications, List<MemoryGroup> groups) {
        long now = System.nanoTime();
        List<Ticket> tickets = new ArrayList<>(publications.size());
        for (Publication publication : publications) {
            int wanting = 0;
            for (MemoryGroup group : groups) {
                wanting += group.subscriber().wants(publication.event()) ? 1 : 0;
            }
            if (wanting == 0) {
                publication.settle(Outcome.accepted());
            }
            tickets.add(new Ticket(this, publication, wanting, now));
        }
        return tickets;
    }

    /** The subscriber ended since it was listed: alone, so nobody misses the event, or with the transport. */
    private void passOver(Ticket ticket) {
        if (transport.isClosed()) {
            ticket.giveUp(MemoryTransport.CLOSED);
        } else {
            ticket.arrived();
        }
    }

    private void withdraw() {
        for (MemoryGroup group : transport.groups()) {
            group.giveUpWaiting(ticket -> ticket.isOf(this), "the publisher is closed");
        }
    }
}
