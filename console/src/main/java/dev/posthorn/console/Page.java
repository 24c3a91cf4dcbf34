package dev.posthorn.console;

import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The files of the page. Only plain names in one folder are looked for, so no path leads out of it. */
final class Page {

    private static final Pattern ASSET =
            Pattern.compile("/assets/(?<name>[A-Za-z0-9][A-Za-z0-9_-]*\\.(?<kind>[a-z0-9]+))");

    private static final Map<String, String> TYPES = Map.of(
            "html", "text/html; charset=utf-8",
            "js", "text/javascript; charset=utf-8",
            "css", "text/css; charset=utf-8",
            "svg", "image/svg+xml",
            "png", "image/png",
            "ico", "image/x-icon",
            "woff2", "font/woff2",
            "txt", "text/plain; charset=utf-8");

    private Page() {}

    /** Empty if there is no such file. */
    static Optional<Answer> find(String path) {
        if (path.equals("/") || path.equals("/index.html")) {
            return file("index.html", "html");
        }
        if (path.equals("/favicon.ico")) {
            return file("favicon.ico", "ico");
        }
        Matcher asset = ASSET.matcher(path);
        return asset.matches() ? file(asset.group("name"), asset.group("kind")) : Optional.empty();
    }

    private static Optional<Answer> file(String name, String kind) {
        String type = TYPES.get(kind);
        if (type == null) {
            return Optional.empty();
        }
        try (InputStream in = Page.class.getResourceAsStream("page/" + name)) {
            return in == null ? Optional.empty() : Optional.of(Answer.bytes(200, type, in.readAllBytes()));
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
