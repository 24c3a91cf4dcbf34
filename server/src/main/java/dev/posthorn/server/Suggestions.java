package dev.posthorn.server;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Finds what somebody may have meant. */
final class Suggestions {

    private static final int FARTHEST = 3;

    private Suggestions() {}

    /** For a key that does not exist. */
    static String unknown(List<String> key) {
        List<String> parent = key.subList(0, key.size() - 1);
        List<String> siblings = Settings.under(parent).stream()
                .map(setting -> setting.words().get(parent.size()))
                .filter(word -> !word.equals("*"))
                .distinct()
                .toList();
        return nearest(key.get(key.size() - 1), siblings)
                .map(meant -> "there is no such key. Did you mean " + meant + "?")
                .orElseGet(() -> "there is no such key. Here may stand: " + String.join(", ", siblings));
    }

    static Optional<String> nearest(String word, Collection<String> all) {
        return all.stream()
                .filter(one -> distance(word, one) <= Math.min(FARTHEST, one.length() / 2))
                .min(Comparator.comparingInt(one -> distance(word, one)));
    }

    /** How many letters have to be put in, left out or changed. */
    private static int distance(String a, String b) {
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int changed = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[b.length()];
    }
}
