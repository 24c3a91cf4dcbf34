package dev.posthorn.claimcheck;

import java.util.UUID;

/** That an event refers to a payload which is kept elsewhere. */
public record Claim(UUID eventId, PayloadKey key, long length) {

    static Claim of(UUID event, PayloadReference reference) {
        return new Claim(event, reference.key(), reference.length());
    }
}
