package dev.posthorn.spring;

import dev.posthorn.transport.Transport;

/**
 * A bean that opens the transports that properties give an address for, in place of the modules on the class path. For tests, and
 * for transports with clients that the application configures itself.
 */
@FunctionalInterface
public interface TransportOpener {

    /** Called once for each name or address; what it opens is closed with the application. */
    Transport open(String address);
}
