package dev.posthorn.console;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The request line and the headers of a request, as far as probes need them. */
final class RequestHead {

    /** A longer one is refused. */
    static final int LONGEST = 64 * 1024;

    private static final Pattern PROBE =
            Pattern.compile("(?<method>GET|HEAD) (?<path>/v1/health(?:/live|/ready)?)(?:\\?\\S*)? HTTP/1\\.[01]");
    private static final String END = "\r\n\r\n";

    private RequestHead() {}

    /** Returns whether the empty line that ends a head is among these bytes, of which the first so many were looked at before. */
    static boolean isWhole(byte[] bytes, int lookedAt, int length) {
        for (int i = Math.max(0, lookedAt - END.length() + 1); i + END.length() <= length; i++) {
            if (bytes[i] == '\r' && bytes[i + 1] == '\n' && bytes[i + 2] == '\r' && bytes[i + 3] == '\n') {
                return true;
            }
        }
        return false;
    }

    /** Returns the request if it is a probe, which has no body. */
    static Optional<Request> probe(byte[] bytes, int length) {
        String[] lines = new String(bytes, 0, length, StandardCharsets.ISO_8859_1).split(END, 2)[0].split("\r\n", -1);
        Matcher line = PROBE.matcher(lines[0]);
        if (!line.matches()) {
            return Optional.empty();
        }
        Map<String, String> headers = new HashMap<>();
        for (int i = 1; i < lines.length; i++) {
            int colon = lines[i].indexOf(':');
            if (colon > 0) {
                headers.putIfAbsent(
                        lines[i].substring(0, colon).strip(),
                        lines[i].substring(colon + 1).strip());
            }
        }
        return Optional.of(
                new Request(line.group("method"), line.group("path"), "", headers, InputStream.nullInputStream()));
    }
}
