package dev.posthorn.relay;

/** Whether a route publishes, as its operators decided. */
public enum RouteMode {
    /** It publishes. */
    OPEN,
    /** Nothing of it is published until someone resumes it. */
    PAUSED,
    /** Nothing of it is published again, and its relays end. */
    RETIRED
}
