package dev.posthorn.commands;

import java.time.Duration;
import java.util.UUID;

/**
 * The right to work on a workflow run.
 *
 * @param run which
 * @param number grows whenever somebody takes the run; what comes from an earlier one is refused
 * @param lease how long it lasts from the beginning and the end of each step, and from each renewal
 */
public record Attempt(UUID run, int number, Duration lease) {}
