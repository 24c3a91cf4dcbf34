package dev.posthorn.transports.rabbitmq;

/** What becomes of an event that no queue would get. */
public enum Unroutable {
    /** It is failed: tried again by the relay's policy, then visibly FAILED. */
    FAIL,
    /** It is accepted: whoever subscribes later does not miss it. */
    ACCEPT
}
