package dev.posthorn.transport;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * The place that a route publishes to, as text without secrets: two processes with the same text publish to the same place.
 *
 * <p>User, password and options of the client do not count; hosts are sorted.
 */
public final class DestinationAddress {

    private static final String HOSTS = "://";
    /** Options that lead elsewhere. */
    private static final Set<String> OF_THE_PLACE = Set.of("endpoint", "emulator", "account");

    private DestinationAddress() {}

    /** Such as {@code kafka://broker:9092, prefix shop}. */
    public static String of(String address, String prefix) {
        return withoutSecrets(address) + ", prefix " + prefix;
    }

    private static String withoutSecrets(String address) {
        int question = address.indexOf('?');
        String place = question < 0 ? address : address.substring(0, question);
        String options = question < 0 ? "" : options(address.substring(question + 1));
        int hosts = place.indexOf(HOSTS);
        if (hosts < 0) {
            return place + options;
        }
        String rest = place.substring(hosts + HOSTS.length());
        int path = rest.indexOf('/', rest.lastIndexOf('@') + 1);
        String authority = path < 0 ? rest : rest.substring(0, path);
        String[] names = authority.substring(authority.lastIndexOf('@') + 1).split(",", -1);
        Arrays.sort(names);
        return place.substring(0, hosts)
                + HOSTS
                + String.join(",", names)
                + (path < 0 ? "" : rest.substring(path))
                + options;
    }

    private static String options(String text) {
        List<String> kept = new ArrayList<>();
        for (String option : text.split("&", -1)) {
            int equal = option.indexOf('=');
            if (equal > 0 && OF_THE_PLACE.contains(option.substring(0, equal))) {
                kept.add(option);
            }
        }
        return kept.isEmpty() ? "" : "?" + String.join("&", kept);
    }
}
