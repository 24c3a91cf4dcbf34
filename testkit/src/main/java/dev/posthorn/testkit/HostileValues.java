package dev.posthorn.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Values that break software which expects ordinary ones: for each field of an event, each reason and each name.
 *
 * <p>Code that takes one of them delivers it intact or refuses it with an error that names the field; nothing else is affected.
 */
public final class HostileValues {

    private static final int MEGABYTE = 1 << 20;
    private static final int DEEP = 10_000;

    /** A text and what is hostile about it. */
    public record Text(String what, String value) {

        @Override
        public String toString() {
            return what;
        }
    }

    /** A payload and what is hostile about it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    public record Payload(String what, byte[] bytes, String contentType) {

        @Override
        public String toString() {
            return what;
        }
    }

    private HostileValues() {}

    /** Texts that no database and no UTF-8 encoder can hold. */
    public static List<Text> unstorable() {
        return List.of(
                new Text("NUL", "a\0b"),
                new Text("only NUL", "\0"),
                new Text("NUL at the end", "abc\0"),
                new Text("high surrogate alone", "a\uD83Db"),
                new Text("low surrogate alone", "a\uDE00b"),
                new Text("swapped surrogates", "\uDE00\uD83D"),
                new Text("high surrogate at the end", "abc\uD83D"));
    }

    /** Texts that can be stored and sent, of at most 1,000 bytes. */
    public static List<Text> odd() {
        Map<String, String> odd = new LinkedHashMap<>();
        odd.put("one space", " ");
        odd.put("only spaces", "   \t  ");
        odd.put("spaces around", "  a  ");
        odd.put("zero width", "a\u200Bb\u200C\u200D\u2060");
        odd.put("only zero width", "\u200B");
        odd.put("right-to-left override", "a\u202Egnp.exe\u202C\u2066\u2069");
        odd.put("byte order mark", "\uFEFFa\uFEFF");
        odd.put("combining flood", "a" + "\u0301\u0327".repeat(200));
        odd.put("composed and decomposed", "\u00E9e\u0301");
        odd.put("emoji", "😀👩\u200D👩\u200D👧\u200D👦🏳\uFE0F\u200D🌈");
        odd.put("last code point", "\uDBFF\uDFFF");
        odd.put("noncharacters", "\uFFFE\uFFFF\uFDD0");
        odd.put(
                "control characters",
                IntStream.range(1, 32).mapToObj(Character::toString).collect(Collectors.joining()));
        odd.put("more control characters", "\u007F\u0080\u0085\u009F");
        odd.put("line ends", "a\r\nb\nc\rd\u2028e\u2029");
        odd.put("injected header", "a\r\nposthorn-type: forged\r\n\r\nbody");
        odd.put("quotes", "'\"`´‘’“”");
        odd.put("backslashes", "\\ \\\\ \\0 \\u0000 \\x00 \\n \\'");
        odd.put("SQL", "'; DROP SCHEMA posthorn CASCADE; -- $$ $1 /*");
        odd.put("placeholders", "%s %d %n %% {} {0} ${user.home} #{x} ? :name");
        odd.put("JSON", "{\"a\":[null,true,1e400]}");
        odd.put("markup", "<script>alert(1)</script>&amp;<!--");
        odd.put("paths and patterns", "../../etc/passwd * # > . , ; | & = !");
        odd.put("words of other languages", "null NaN undefined true Infinity");
        odd.put("percent encoding", "%00%0d%0a+%");
        odd.put("longest in bytes", "x".repeat(1_000));
        odd.put("longest in bytes of four", "😀".repeat(250));
        return odd.entrySet().stream()
                .map(one -> new Text(one.getKey(), one.getValue()))
                .toList();
    }

    /** Texts that are empty or too long for a field of 1,000 characters or bytes. */
    public static List<Text> misfits() {
        return List.of(
                new Text("empty", ""),
                new Text("a byte too long", "x".repeat(1_001)),
                new Text("many emoji", "😀".repeat(600)),
                new Text("too many emoji", "😀".repeat(1_001)));
    }

    /** Every kind of text in a moderate size. */
    public static List<Text> texts() {
        List<Text> all = new ArrayList<>(unstorable());
        all.addAll(odd());
        all.addAll(misfits());
        return all;
    }

    /** A text of so many megabytes with a NUL at its end. */
    public static Text large(int megabytes) {
        return new Text(megabytes + " MB", "x".repeat(megabytes * MEGABYTE) + "\0");
    }

    /** Payloads that are no well-behaved JSON, or that parsers choke on. */
    public static List<Payload> payloads() {
        return List.of(
                json("empty", ""),
                json("no JSON", "{\"a\":"),
                json("NUL in a name", "{\"a\\u0000b\":1}"),
                json("raw NUL", "{\"a\0b\":1}"),
                json("escaped lone surrogate", "{\"a\":\"\\ud83d\"}"),
                json("deep arrays", "[".repeat(DEEP) + "]".repeat(DEEP)),
                json("deep objects", "{\"a\":".repeat(DEEP) + "1" + "}".repeat(DEEP)),
                json("huge exponent", "{\"n\":1e400,\"m\":-1E999999999}"),
                json("many digits", "{\"n\":" + "9".repeat(DEEP) + "}"),
                json("duplicate names", "{\"a\":1,\"a\":2,\"a\":{\"a\":3}}"),
                json("long name", "{\"" + "n".repeat(MEGABYTE / 2) + "\":1}"),
                json("byte order mark", "\uFEFF{\"a\":1}"),
                new Payload(
                        "invalid UTF-8",
                        new byte[] {'{', '"', (byte) 0xC3, (byte) 0x28, (byte) 0xED, (byte) 0xA0, (byte) 0x80, '"', '}'
                        },
                        "application/json"),
                new Payload("every byte", everyByte(), "application/octet-stream"));
    }

    private static Payload json(String what, String text) {
        return new Payload(what, text.getBytes(UTF_8), "application/json");
    }

    private static byte[] everyByte() {
        byte[] bytes = new byte[256];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) i;
        }
        return bytes;
    }

    /** What a handler, a transport or a registry may throw; fresh ones each time. */
    public static List<Throwable> failures() {
        RuntimeException circular = new IllegalStateException("outer");
        circular.initCause(new IllegalStateException("inner", circular));
        return List.of(
                new IllegalStateException("a\0b\uD83D"),
                new IllegalStateException(large(1).value()),
                new IllegalStateException(),
                new HostileException(),
                new IllegalStateException("outer", new HostileException()),
                circular,
                new StackOverflowError(),
                new AssertionError("a\0b"));
    }

    /** Throws from each of its methods. */
    public static final class HostileException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        @Override
        public String getMessage() {
            throw new UnsupportedOperationException("getMessage");
        }

        @Override
        public String toString() {
            throw new UnsupportedOperationException("toString");
        }
    }
}
