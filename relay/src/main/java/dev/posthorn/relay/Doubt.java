package dev.posthorn.relay;

/**
 * What is remembered of an event whose answer was lost without being charged.
 *
 * @param since when that was
 * @param resends how often it is sent again without a charge, this time included
 * @param changes how many changes of an outage had been seen by then
 */
record Doubt(long since, int resends, int changes) {}
