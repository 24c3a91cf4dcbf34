package dev.posthorn.spring;

import dev.posthorn.inbox.EventHandler;
import java.sql.Connection;

/**
 * A bean that stands around every handler, such as what fetches or decrypts a payload before it is handled. It runs in the
 * handler's transaction, after the mark of the inbox.
 */
@FunctionalInterface
public interface HandlerWrapper {

    EventHandler<Connection> around(EventHandler<Connection> handler);
}
