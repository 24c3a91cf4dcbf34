package dev.posthorn.transports.ipc;

/** Who keeps the subscribers' queues. */
public enum Shape {
    /** One hub for the folder, hosted by whoever starts an {@link IpcHub}. A transport only connects to it. */
    HUB,
    /** The same, hosted by the first transport that needs it; when its process dies, by another one. */
    FIRST_HOSTS,
    /** Each subscriber has a hub of its own, hosted by one of its members. Publishers connect to all in the folder. */
    PEERS
}
