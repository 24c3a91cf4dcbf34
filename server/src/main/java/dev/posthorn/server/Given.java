package dev.posthorn.server;

import java.util.List;

/** A value as someone gave it: for which key, and where. */
record Given(List<String> key, List<String> items, Origin origin) {

    String text() {
        return String.join(",", items);
    }

    String path() {
        return path(key);
    }

    static String path(List<String> key) {
        return String.join(".", key);
    }
}
