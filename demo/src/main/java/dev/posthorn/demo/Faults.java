package dev.posthorn.demo;

import java.time.Duration;

/**
 * What the destination does to make it hard; shares are of events.
 *
 * @param failRate takes an event only after a few failed attempts
 * @param refuseRate refuses an event for good
 * @param lostAnswers takes an event, but its answer gets lost
 * @param outage how long it is away; zero for never
 * @param outageEvery how long it is there in between, about
 * @param seed decides which events
 */
record Faults(
        double failRate, double refuseRate, double lostAnswers, Duration outage, Duration outageEvery, long seed) {}
