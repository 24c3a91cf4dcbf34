package dev.posthorn.inboxes.redis;

import dev.posthorn.inbox.HandlerId;
import java.util.UUID;

/** What things are called in Redis. Names of consumers and handlers have no colon, so no two of these are the same. */
record Keys(String prefix) {

    /** The handler of those who name a consumer only; its marks have no handler in their name. */
    static final String ONLY = "main";

    String mark(HandlerId handler, UUID event) {
        String mark = prefix + ":evt:processed:" + handler.consumer() + ":" + event;
        return handler.handler().equals(ONLY) ? mark : mark + ":" + handler.handler();
    }

    String member(String consumer, String member) {
        return prefix + ":evt:member:" + consumer + ":" + member;
    }

    String pause(String consumer) {
        return prefix + ":evt:paused:" + consumer;
    }
}
