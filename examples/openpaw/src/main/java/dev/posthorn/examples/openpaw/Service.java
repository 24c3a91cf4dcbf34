package dev.posthorn.examples.openpaw;

import java.util.Set;

/** Who handles events, by the name of its subscriber, which is also the handler of the design's inbox. */
public enum Service {
    /** Sends a command for each version. */
    REWARDS("reward-settlement", Set.of(Openpaw.VERSION_CREATED)),
    /** Counts points. */
    REPUTATION("reputation", Set.of(Openpaw.VERSION_CREATED, Openpaw.REWARD_SETTLED)),
    /** Copies versions from site to site. */
    SYNC("sync", Set.of(Openpaw.VERSION_CREATED));

    private final String subscriber;

    @SuppressWarnings("ImmutableEnumChecker") // made by Set.of
    private final Set<String> types;

    Service(String subscriber, Set<String> types) {
        this.subscriber = subscriber;
        this.types = types;
    }

    public String subscriber() {
        return subscriber;
    }

    Set<String> types() {
        return types;
    }
}
