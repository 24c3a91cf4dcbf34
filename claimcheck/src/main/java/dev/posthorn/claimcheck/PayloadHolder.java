package dev.posthorn.claimcheck;

import java.util.Set;
import java.util.UUID;

/** Something beside the register's database that may keep events, such as the database of a consumer. Thread-safe. */
@FunctionalInterface
public interface PayloadHolder {

    /** Which of these events it keeps, in a form that still needs their payload. */
    Set<UUID> holding(Set<UUID> events);
}
