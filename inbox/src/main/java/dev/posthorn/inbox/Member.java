package dev.posthorn.inbox;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.concurrent.atomic.AtomicInteger;

/** What a member is called: host, process, and a number within it. */
final class Member {

    private static final AtomicInteger NEXT = new AtomicInteger();

    private Member() {}

    static String name() {
        return host() + "-" + ProcessHandle.current().pid() + "-" + NEXT.incrementAndGet();
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
