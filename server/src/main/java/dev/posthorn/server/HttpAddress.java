package dev.posthorn.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Where health and metrics are answered, as it is written. */
final class HttpAddress {

    static final String OFF = "off";
    private static final Pattern FORM = Pattern.compile("(?<host>[\\w.-]+|\\[[0-9A-Fa-f:.]+]):(?<port>\\d{1,5})");
    private static final int HIGHEST_PORT = 65_535;
    private static final int SHORTEST_TOKEN = 8;

    private HttpAddress() {}

    /** Empty for nowhere. The name is looked up when it is bound. */
    static Optional<InetSocketAddress> parse(String text) {
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
    static boolean isLoopback(InetSocketAddress address) {
        try {
            return InetAddress.getByName(address.getHostString()).isLoopbackAddress();
        } catch (UnknownHostException unknown) {
            return false;
        }
    }

    static void checkToken(String token) {
        if (token.length() < SHORTEST_TOKEN || !token.equals(token.strip())) {
            throw new IllegalArgumentException("it is too short, or has blanks around it");
        }
    }
}
