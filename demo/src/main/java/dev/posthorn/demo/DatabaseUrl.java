package dev.posthorn.demo;

import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/** Database URLs as JDBC wants them. */
final class DatabaseUrl {

    private static final String JDBC = "jdbc:postgresql:";

    private DatabaseUrl() {}

    /** The URL itself if it is JDBC's, or the same for one as psql takes it: {@code postgresql://me:secret@host/db}. */
    static String toJdbc(String url) {
        if (url.startsWith(JDBC)) {
            return url;
        }
        if (!url.startsWith("postgresql://") && !url.startsWith("postgres://")) {
            throw new CannotRunException("--database-url must begin with jdbc:postgresql: or postgresql://");
        }
        try {
            URI uri = new URI(url);
            if (uri.getHost() == null) {
                throw new CannotRunException("--database-url names no host; write postgresql://me:secret@host/db");
            }
            String port = uri.getPort() < 0 ? "" : ":" + uri.getPort();
            String query = uri.getRawQuery() == null ? "" : "&" + uri.getRawQuery();
            String parameters = credentials(uri) + query;
            return JDBC + "//" + uri.getHost() + port + uri.getRawPath()
                    + (parameters.isEmpty() ? "" : "?" + parameters.substring(1));
        } catch (URISyntaxException unreadable) {
            // Its message shows the URL, and with it the password.
            throw new CannotRunException("--database-url is not a URL: " + unreadable.getReason());
        }
    }

    private static String credentials(URI uri) {
        if (uri.getUserInfo() == null) {
            return "";
        }
        String[] parts = uri.getUserInfo().split(":", 2);
        String user = "&user=" + encoded(parts[0]);
        return parts.length == 1 ? user : user + "&password=" + encoded(parts[1]);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
