package dev.posthorn.console;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where a console is answered, as it is written. */
public final class HttpAddress {

    public static final String OFF = "off";
    private static final Pattern FORM = Pattern.compile("(?<host>[\\w.-]+|\\[[0-9A-Fa-f:.]+]):(?<port>\\d{1,5})");
    private static final int HIGHEST_PORT = 65_535;

    private HttpAddress() {}

    /** Empty for nowhere. The name is looked up when it is bound. */
    public static Optional<InetSocketAddress> parse(String text) {
        if (text.equals(OFF)) {
            return Optional.empty();
        }
        Matcher matcher = FORM.matcher(text);
        if (!matcher.matches() || Integer.parseInt(matcher.group("port")) > HIGHEST_PORT) {
            throw new IllegalArgumentException("it is no address");
        }
        return Optional.of(
                InetSocketAddress.createUnresolved(matcher.group("host"), Integer.parseInt(matcher.group("port"))));
    }

    /** Whether only this host can reach it. A name that is not known is not taken for loopback. */
    public static boolean isLoopback(InetSocketAddress address) {
        try {
            return InetAddress.getByName(address.getHostString()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }
}
