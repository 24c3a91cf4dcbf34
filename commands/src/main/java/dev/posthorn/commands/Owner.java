package dev.posthorn.commands;

import java.net.InetAddress;
import java.net.UnknownHostException;

/** Who this process is, for people who look at workflow runs. */
final class Owner {

    static final String NAME = host() + "-" + ProcessHandle.current().pid();

    private Owner() {}

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
