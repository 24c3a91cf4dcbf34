package dev.posthorn.examples.poker;

import java.util.Set;

/** Who reacts to events, by the name of its subscriber. */
public enum Part {
    /** Shows everything that happens: the read model of all three domains. */
    OUTPUT_PROJECTOR("output-projector", "projector", Set.of(Poker.PLAYER, Poker.TABLE, Poker.HAND), Set.of()),
    /** Pays the winner of a hand. */
    HAND_PLAYER_SAGA("hand-player-saga", "saga", Set.of(Poker.HAND), Set.of(Poker.HAND_COMPLETE)),
    /** Tells the table that a hand is over. */
    HAND_TABLE_SAGA("hand-table-saga", "saga", Set.of(Poker.HAND), Set.of(Poker.HAND_COMPLETE)),
    /** Takes a player to a seat, across two domains. */
    BUY_IN(
            "buy-in",
            "process-manager",
            Set.of(Poker.TABLE, Poker.PLAYER),
            Set.of(Poker.SEAT_REQUESTED, Poker.FUNDS_RESERVED, Poker.FUNDS_REFUSED)),
    /** Keeps the histories of hands, whose events it wants in order and without gaps. */
    HISTORIAN("historian", "projector", Set.of(Poker.HAND), Set.of()),
    /** Counts who wins; deployed later than all others. */
    STATISTICS("statistics", "projector", Set.of(Poker.HAND), Set.of(Poker.HAND_COMPLETE));

    private final String subscriber;
    private final String kind;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> domains;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> types;

    Part(String subscriber, String kind, Set<String> domains, Set<String> types) {
        this.subscriber = subscriber;
        this.kind = kind;
        this.domains = domains;
        this.types = types;
    }

    public String subscriber() {
        return subscriber;
    }

    String kind() {
        return kind;
    }

    Set<String> domains() {
        return domains;
    }

    Set<String> types() {
        return types;
    }
}
