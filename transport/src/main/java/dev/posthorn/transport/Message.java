package dev.posthorn.transport;

import java.util.Map;

/**
 * An event as brokers carry it: text headers and the payload's exact bytes.
 *
 * <p>The array is not copied; whoever makes a message gives it away.
 */
@SuppressWarnings("ArrayRecordComponent") // passed on without a copy; messages are not compared
public record Message(Map<String, String> headers, byte[] body) {}
