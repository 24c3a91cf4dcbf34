package dev.posthorn.inbox;

/**
 * A consumer as its store knows it.
 *
 * @param paused whether an operator paused it
 * @param others the other members
 */
public record ConsumerState(boolean paused, OtherMembers others) {}
