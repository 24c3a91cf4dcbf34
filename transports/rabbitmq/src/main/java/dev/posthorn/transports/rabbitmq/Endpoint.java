package dev.posthorn.transports.rabbitmq;

import com.rabbitmq.client.Address;
import com.rabbitmq.client.ConnectionFactory;
import dev.posthorn.event.PosthornException;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * Where the broker is and how to get in. The password appears in no text that this makes.
 *
 * @param addresses {@code host} or {@code host:port} of each node; tried in random order
 * @param virtualHost default "/"
 * @param login who we are
 * @param tls empty for plain connections. With it the host's name is verified against the certificate
 * @param client sets what else the client library can be told, such as client properties; called last, so it wins
 */
public record Endpoint(
        List<String> addresses,
        String virtualHost,
        Login login,
        Optional<SSLContext> tls,
        Consumer<ConnectionFactory> client) {

    private static final int PORT = 5672;
    private static final int TLS_PORT = 5671;

    /** A user and a password; its text does not show the password. */
    public record Login(String user, String password) {
        @Override
        public String toString() {
            return "Login[" + user + "]";
        }
    }

    public Endpoint {
        addresses = List.copyOf(addresses);
    }

    /** Without TLS, on "/". */
    public static Endpoint of(String address, Login login) {
        return new Endpoint(List.of(address), "/", login, Optional.empty(), factory -> {});
    }

    /**
     * Reads {@code amqp://user:password@host:port/vhost}, or {@code amqps://…} for TLS with the JVM's trusted certificates. A
     * user or a password that is left out is "guest", as in RabbitMQ's own clients.
     */
    public static Endpoint parse(String uri) {
        URI parsed;
        try {
            parsed = URI.create(uri);
        } catch (IllegalArgumentException malformed) { // its message shows the whole, with the password
            throw new PosthornException(
                    "The address of RabbitMQ is malformed; it looks like amqp://user:password@host");
        }
        @Nullable String info = parsed.getRawUserInfo();
        boolean secure = "amqps".equals(parsed.getScheme());
        if (parsed.getHost() == null || !(secure || "amqp".equals(parsed.getScheme()))) {
            throw new PosthornException("The address of RabbitMQ needs amqp:// or amqps:// and a host, as in"
                    + " amqp://user:password@host/vhost");
        }
        Login login = login(info == null ? "" : info);
        String address = parsed.getPort() < 0 ? parsed.getHost() : parsed.getHost() + ":" + parsed.getPort();
        String path = parsed.getRawPath();
        Endpoint plain = of(address, login).virtualHost(path.length() < 2 ? "/" : decoded(path.substring(1)));
        return secure ? plain.tls(systemTls()) : plain;
    }

    private static Login login(String info) {
        int colon = info.indexOf(':');
        String user = decoded(colon < 0 ? info : info.substring(0, colon));
        String password = colon < 0 ? ConnectionFactory.DEFAULT_PASS : decoded(info.substring(colon + 1));
        return new Login(user.isEmpty() ? ConnectionFactory.DEFAULT_USER : user, password);
    }

    private static String decoded(String part) {
        return URLDecoder.decode(part.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static SSLContext systemTls() {
        try {
            return SSLContext.getDefault();
        } catch (NoSuchAlgorithmException e) {
            throw new PosthornException("This Java has no TLS: " + e.getMessage(), e);
        }
    }

    public Endpoint addresses(List<String> addresses) {
        return new Endpoint(addresses, virtualHost, login, tls, client);
    }

    public Endpoint virtualHost(String virtualHost) {
        return new Endpoint(addresses, virtualHost, login, tls, client);
    }

    public Endpoint login(Login login) {
        return new Endpoint(addresses, virtualHost, login, tls, client);
    }

    public Endpoint tls(SSLContext tls) {
        return new Endpoint(addresses, virtualHost, login, Optional.of(tls), client);
    }

    public Endpoint client(Consumer<ConnectionFactory> client) {
        return new Endpoint(addresses, virtualHost, login, tls, client);
    }

    void check(List<String> faults) {
        if (addresses.isEmpty() || addresses.stream().anyMatch(String::isBlank)) {
            faults.add("there must be an address of a broker, but there are " + addresses);
        }
        for (String address : addresses) {
            try {
                var unused = Address.parseAddress(address);
            } catch (IllegalArgumentException malformed) {
                faults.add("an address is host or host:port, but one is \"" + address + "\"");
            }
        }
        if (virtualHost.isEmpty()) {
            faults.add("the virtual host must not be empty; the usual one is \"/\"");
        }
    }

    List<Address> nodes() {
        int usual = tls.isPresent() ? TLS_PORT : PORT;
        return addresses.stream()
                .map(Address::parseAddress)
                .map(node -> node.getPort() > 0 ? node : new Address(node.getHost(), usual))
                .toList();
    }

    @Override
    public String toString() {
        return "Endpoint[" + login.user() + "@" + addresses + " " + virtualHost
                + (tls.isPresent() ? " with TLS]" : "]");
    }
}
