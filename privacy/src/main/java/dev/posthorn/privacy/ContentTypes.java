package dev.posthorn.privacy;

import java.util.Locale;

/** What can be looked into. */
final class ContentTypes {

    private ContentTypes() {}

    static boolean isJson(String contentType) {
        String kind = contentType.toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
        return kind.equals("application/json") || kind.endsWith("+json");
    }

    static boolean isText(String contentType) {
        return contentType.toLowerCase(Locale.ROOT).startsWith("text/");
    }
}
