package dev.posthorn.examples.holdco;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Whose data it is.
 *
 * @param group always there
 * @param subsidiary null for what belongs to the whole group
 */
public record Tenant(UUID group, @Nullable UUID subsidiary) {}
