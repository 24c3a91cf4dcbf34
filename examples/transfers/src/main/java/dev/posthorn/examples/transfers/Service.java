package dev.posthorn.examples.transfers;

import java.util.List;
import java.util.Set;

/**
 * Who consumes, by the name of its queue. A queue is called as the design calls it, with hyphens for the dots, which SQS does
 * not allow: {@code gateway-usdc.fifo}.
 */
public enum Service {
    /** Submits on the rail. */
    GATEWAY("gateway.usdc", Set.of(Envelope.TRANSFERS), Set.of("submitted.usdc")),
    /** Posts journal entries. */
    LEDGER("ledger.postings", Set.of(Envelope.TRANSFERS), Set.of()),
    /** Feeds the read model. */
    PROJECTIONS("projections.timeline", Set.of(Envelope.TRANSFERS), Set.of()),
    /** Lets the service that began a transfer know how it went. Changes of routes reach each of its processes, see RouteUpdates. */
    CTS("cts.inbound", Set.of(Envelope.TRANSFERS), Set.of("accepted", "settled"));

    private final String queue;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> domains;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> types;

    Service(String queue, Set<String> domains, Set<String> types) {
        this.queue = queue;
        this.domains = domains;
        this.types = types;
    }

    /** Of its queue, its subscriber and its consumer. */
    public String queue() {
        return queue;
    }

    Set<String> domains() {
        return domains;
    }

    /** What it wants of them; empty for all. */
    Set<String> types() {
        return types;
    }

    /** What can happen to a transfer, in this order. */
    public static List<String> course() {
        return List.of("submitted.usdc", "accepted", "settled");
    }
}
