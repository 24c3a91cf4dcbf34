package dev.posthorn.postgres;

import java.time.Instant;
import java.util.UUID;

/**
 * All that died for reasons of one kind.
 *
 * @param fingerprint what the reasons have in common
 * @param example the letter of the one that died first
 */
public record DeadGroup(
        String cause, String fingerprint, String remedy, long letters, Instant first, Instant last, UUID example) {}
