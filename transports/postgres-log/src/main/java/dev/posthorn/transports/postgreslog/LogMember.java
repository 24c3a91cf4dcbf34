package dev.posthorn.transports.postgreslog;

import dev.posthorn.transport.Subscription;

/** A subscription that can be told that there is something new. */
interface LogMember extends Subscription {

    /** Something was committed: looks at once instead of at the next poll. */
    void wakeUp();
}
