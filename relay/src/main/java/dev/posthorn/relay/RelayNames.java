package dev.posthorn.relay;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.HexFormat;

/** What relays are called unless somebody says it. */
public final class RelayNames {

    private static final int CHANCE_BYTES = 3;

    private RelayNames() {}

    /** Made of host, process and chance, so that no two are the same. */
    public static String fresh() {
        byte[] chance = new byte[CHANCE_BYTES];
        new SecureRandom().nextBytes(chance);
        return hostName() + "-" + ProcessHandle.current().pid() + "-"
                + HexFormat.of().formatHex(chance);
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException unnamed) {
            return "host";
        }
    }
}
