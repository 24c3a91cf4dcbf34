package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Where a database is and how to get in, from {@code jdbc:postgresql://…}, {@code postgres://user:password@host/db} or the words of
 * libpq, {@code host=db user=shop dbname=shop}.
 *
 * <p>Its text and its JDBC URL never show the password.
 */
public final class DatabaseUrl {

    private static final Pattern FORM = Pattern.compile("(?:jdbc:postgresql|postgres(?:ql)?)://"
            + "(?:(?<login>[^/?]*)@)?(?<hosts>[^/?@]*)(?:/(?<database>[^?]*))?(?:\\?(?<query>.*))?");
    private static final Pattern HOST = Pattern.compile("(?<name>[\\w.-]+|\\[[0-9A-Fa-f:.]+])(?::(?<port>\\d{1,5}))?");
    private static final String DEFAULT_PORT = "5432";

    /** What libpq calls otherwise than the driver does. */
    private static final Map<String, String> TRANSLATED = Map.of(
            "application_name", "ApplicationName",
            "connect_timeout", "connectTimeout",
            "channel_binding", "channelBinding");

    private final String place;
    private final String database;
    private final Map<String, String> parameters = new TreeMap<>();

    private DatabaseUrl(Matcher parts) {
        this.place = places(parts.group("hosts"));
        String login = parts.group("login");
        if (login != null) {
            String[] pair = login.split(":", 2);
            parameters.put("user", decoded(pair[0]));
            if (pair.length == 2) {
                parameters.put("password", decoded(pair[1]));
            }
        }
        String query = parts.group("query");
        for (String parameter : query == null ? new String[0] : query.split("&", -1)) {
            String[] pair = parameter.split("=", 2);
            if (pair.length == 2) {
                parameters.put(TRANSLATED.getOrDefault(pair[0], pair[0]), decoded(pair[1]));
            }
        }
        String name = parts.group("database");
        this.database = name == null || name.isEmpty() ? parameters.getOrDefault("user", "postgres") : decoded(name);
    }

    private DatabaseUrl(DatabaseUrl from, String left) {
        this.place = from.place;
        this.database = from.database;
        this.parameters.putAll(from.parameters);
        this.parameters.remove(left);
    }

    /** Throws a {@link PosthornException} that says what is wrong with it. */
    public static DatabaseUrl parse(String text) {
        Matcher parts = FORM.matcher(text.strip());
        if (LibpqWords.are(text)) {
            return parse(LibpqWords.url(text));
        }
        if (!parts.matches()) {
            throw invalid(text);
        }
        try {
            return new DatabaseUrl(parts);
        } catch (IllegalArgumentException cause) {
            // The cause is left out because its message may show what was between the percent signs.
            throw invalid(text);
        }
    }

    private static PosthornException invalid(String text) {
        // Of what can not be understood, anything before an @ or after a question mark may be a password.
        String shown = text.strip().replaceFirst("\\?.*", "?…").replaceFirst(".*@", "…@");
        return new PosthornException("\"" + shown + "\" is not the URL of a Postgres database."
                + " Write postgres://user:password@host:5432/database, with %25 for a percent sign in the password, or"
                + " jdbc:postgresql://host:5432/database?user=…");
    }

    private static String places(String hosts) {
        List<String> places = new ArrayList<>();
        for (String host : (hosts.isEmpty() ? "localhost" : hosts).split(",", -1)) {
            Matcher matcher = HOST.matcher(host);
            if (!matcher.matches()) {
                throw new IllegalArgumentException("not a host");
            }
            String port = matcher.group("port");
            places.add(matcher.group("name") + ":" + (port == null ? DEFAULT_PORT : port));
        }
        return String.join(",", places);
    }

    /** A plus is a plus in a URL; only in a form it is a space. */
    private static String decoded(String value) {
        return URLDecoder.decode(value.replace("+", "%2B"), StandardCharsets.UTF_8);
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    /** Host and port, all of them if there are several. */
    public String place() {
        return place;
    }

    public String database() {
        return database;
    }

    /** Whether the URL sets this parameter of the driver. */
    public boolean sets(String parameter) {
        return parameters.containsKey(parameter);
    }

    /** The same URL without this parameter of the driver. */
    public DatabaseUrl without(String parameter) {
        return new DatabaseUrl(this, parameter);
    }

    /** For the driver, without user and password. */
    public String jdbcUrl() {
        String query = parameters.entrySet().stream()
                .filter(one -> !one.getKey().equals("user") && !one.getKey().equals("password"))
                .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                .collect(Collectors.joining("&"));
        return "jdbc:postgresql://" + place + "/" + encoded(database) + (query.isEmpty() ? "" : "?" + query);
    }

    /** For the driver: user and password, and these where the URL does not set them itself. */
    public Properties properties(Map<String, String> defaults) {
        Properties properties = new Properties();
        defaults.forEach((name, value) -> {
            if (!parameters.containsKey(name)) {
                properties.setProperty(name, value);
            }
        });
        for (String name : List.of("user", "password")) {
            String value = parameters.get(name);
            if (value != null) {
                properties.setProperty(name, value);
            }
        }
        return properties;
    }

    @Override
    public String toString() {
        return place + "/" + database;
    }
}
