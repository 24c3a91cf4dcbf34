package dev.posthorn.postgres;

import dev.posthorn.event.PosthornException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Connection words of libpq, such as {@code host=db port=5432 dbname=shop user=shop password='a b'}, read as a URL. */
final class LibpqWords {

    private static final Pattern WORD =
            Pattern.compile("\\s*(\\w+)\\s*=\\s*(?:'((?:[^'\\\\]|\\\\.)*)'|((?:[^\\s'\\\\]|\\\\.)*))\\s*");

    private LibpqWords() {}

    /** Whether the text begins like words and not like a URL. */
    static boolean are(String text) {
        return text.strip().matches("(?s)\\w+\\s*=.*");
    }

    /** The same as a URL. The text is never shown in errors, because it may have a password in it. */
    static String url(String text) {
        Map<String, String> words = new LinkedHashMap<>();
        Matcher word = WORD.matcher(text);
        int end = 0;
        while (end < text.length() && word.find(end) && word.start() == end) {
            String quoted = word.group(2);
            String value = quoted == null ? word.group(3) : quoted;
            words.put(word.group(1), value.replaceAll("\\\\(.)", "$1"));
            end = word.end();
        }
        if (end < text.length()) {
            throw new PosthornException("The connection words of libpq cannot be read from character " + (end + 1)
                    + " on. Write host=HOST port=5432 dbname=NAME user=USER password='…'.");
        }
        String hosts = words.getOrDefault("host", words.getOrDefault("hostaddr", "localhost"));
        if (hosts.startsWith("/")) {
            throw new PosthornException("The connection words of libpq name a Unix socket, " + hosts
                    + ", which the Java driver does not use. Name a host.");
        }
        String database = words.getOrDefault("dbname", words.getOrDefault("user", "postgres"));
        String address = withPorts(hosts, words.getOrDefault("port", ""));
        words.keySet().removeAll(Set.of("host", "hostaddr", "port", "dbname"));
        return "postgresql://" + address + "/" + encoded(database)
                + words.entrySet().stream()
                        .map(one -> encoded(one.getKey()) + "=" + encoded(one.getValue()))
                        .collect(Collectors.joining("&", "?", ""));
    }

    private static String withPorts(String hosts, String ports) {
        String[] names = hosts.split(",", -1);
        String[] numbers = ports.split(",", -1);
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < names.length; i++) {
            String port = numbers.length == 1 ? numbers[0] : i < numbers.length ? numbers[i] : "";
            all.append(i == 0 ? "" : ",").append(names[i]).append(port.isEmpty() ? "" : ":" + port);
        }
        return all.toString();
    }

    private static String encoded(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
