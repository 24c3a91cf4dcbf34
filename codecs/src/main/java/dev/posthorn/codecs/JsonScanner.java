package dev.posthorn.codecs;

import dev.posthorn.codecs.JsonText.Field;
import dev.posthorn.transport.UndecodableException;
import java.nio.charset.StandardCharsets;
import java.util.function.BiConsumer;

/** Walks over a JSON text once and tells of the fields of its outermost object. Strict, and as deep as Jackson goes. */
final class JsonScanner {

    static final BiConsumer<Field, Field> NOBODY = (name, value) -> {};

    private static final int DEEPEST = 1_000;

    private final byte[] bytes;
    private final int end;
    private final BiConsumer<Field, Field> fields;
    private int at;
    private int depth;
    private boolean object;

    /** Fields are told with the place of their name and that of their value. */
    JsonScanner(byte[] bytes, int from, int end, BiConsumer<Field, Field> fields) {
        this.bytes = bytes;
        this.at = from;
        this.end = end;
        this.fields = fields;
    }

    /** Whether the text was an object. */
    boolean isObject() {
        return object;
    }

    void whole() {
        space();
        object = at < end && bytes[at] == '{';
        value();
        space();
        if (at < end) {
            throw fault("nothing may follow the value");
        }
    }

    static UndecodableException fault(byte[] bytes, int at, String reason) {
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < at && i < bytes.length; i++) {
            if (bytes[i] == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        return new UndecodableException(
                "at byte " + at + " (line " + line + ", column " + (at - lineStart + 1) + "): " + reason);
    }

    private UndecodableException fault(String reason) {
        return fault(bytes, at, at < end ? reason : "the text ends too early");
    }

    private void value() {
        if (at >= end) {
            throw fault("a value is missing");
        }
        switch (bytes[at]) {
            case '{' -> object();
            case '[' -> array();
            case '"' -> string();
            case 't' -> literal("true");
            case 'f' -> literal("false");
            case 'n' -> literal("null");
            default -> number();
        }
    }

    private void deeper() {
        at++;
        if (++depth > DEEPEST) {
            throw fault(bytes, at, "it is nested deeper than " + DEEPEST + " levels");
        }
        space();
    }

    private void object() {
        deeper();
        if (!takes('}')) {
            do {
                field();
            } while (takes(','));
            require('}', "here comes a comma or the end of the object");
        }
        depth--;
    }

    private void field() {
        space();
        int name = at;
        if (at >= end || bytes[at] != '"') {
            throw fault("here comes the name of a field, in double quotes");
        }
        string();
        int nameEnd = at;
        space();
        require(':', "here comes a colon");
        int after = at;
        space();
        int start = at;
        value();
        if (depth == 1 && object) {
            fields.accept(new Field(name, name, nameEnd), new Field(after, start, at));
        }
        space();
    }

    private void array() {
        deeper();
        if (!takes(']')) {
            do {
                space();
                value();
                space();
            } while (takes(','));
            require(']', "here comes a comma or the end of the array");
        }
        depth--;
    }

    private void literal(String word) {
        for (byte letter : word.getBytes(StandardCharsets.US_ASCII)) {
            require(letter, "here is neither a value nor " + word);
        }
    }

    private void number() {
        int start = at;
        takes('-');
        if (!takes('0') && digits() == 0) {
            at = at == start ? at : start + 1;
            throw fault(at == start ? "here comes a value" : "a digit is missing");
        }
        if (takes('.') && digits() == 0) {
            throw fault("a digit is missing");
        }
        if (takes('e') || takes('E')) {
            if (!takes('+')) {
                takes('-');
            }
            if (digits() == 0) {
                throw fault("a digit is missing");
            }
        }
    }

    private int digits() {
        int start = at;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9') {
            at++;
        }
        return at - start;
    }

    private void string() {
        at++;
        while (at < end) {
            int next = bytes[at];
            if (next == '"') {
                at++;
                return;
            }
            if (next == '\\') {
                escape();
            } else if (next >= 0x20) {
                at++;
            } else if (next >= 0) {
                throw fault("a control character stands in a string; escape it");
            } else {
                at += sequence(next & 0xFF);
            }
        }
        throw fault("a string has no end");
    }

    private void escape() {
        at++;
        if (at >= end) {
            throw fault("a string has no end");
        }
        int kind = bytes[at];
        if (kind == 'u') {
            at++;
            for (int i = 0; i < 4; i++) {
                if (at >= end || Character.digit(bytes[at], 16) < 0) {
                    throw fault("four hexadecimal digits follow \\u");
                }
                at++;
            }
        } else if ("\"\\/bfnrt".indexOf(kind) >= 0) {
            at++;
        } else {
            throw fault("there is no such escape");
        }
    }

    /** How long the sequence of UTF-8 is that begins here. */
    private int sequence(int lead) {
        int length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
        if (lead < 0xC2 || lead > 0xF4 || at + length > end) {
            throw fault("this is no UTF-8");
        }
        for (int i = 1; i < length; i++) {
            if ((bytes[at + i] & 0xC0) != 0x80) {
                throw fault("this is no UTF-8");
            }
        }
        int second = bytes[at + 1] & 0xFF;
        boolean overlong = (lead == 0xE0 && second < 0xA0) || (lead == 0xF0 && second < 0x90);
        boolean surrogateOrTooLarge = (lead == 0xED && second > 0x9F) || (lead == 0xF4 && second > 0x8F);
        if (overlong || surrogateOrTooLarge) {
            throw fault("this is no UTF-8");
        }
        return length;
    }

    private void space() {
        while (at < end && (bytes[at] == ' ' || bytes[at] == '\n' || bytes[at] == '\r' || bytes[at] == '\t')) {
            at++;
        }
    }

    private boolean takes(char wanted) {
        if (at < end && bytes[at] == wanted) {
            at++;
            return true;
        }
        return false;
    }

    private void require(int wanted, String otherwise) {
        if (at >= end || bytes[at] != wanted) {
            throw fault(otherwise);
        }
        at++;
    }
}
