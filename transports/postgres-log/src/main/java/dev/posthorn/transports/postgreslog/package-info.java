/** The log itself as a bus, without a broker: a subscriber is a route, and its members are relays that hand events over. */
@NullMarked
package dev.posthorn.transports.postgreslog;

import org.jspecify.annotations.NullMarked;
