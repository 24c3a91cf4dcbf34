package dev.posthorn.postgres;

import dev.posthorn.relay.Cursor;
import dev.posthorn.relay.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A cursor as Postgres writes a {@code log_cursor}: {@code ("10:20:10,14",55,,)}. */
final class CursorText {

    private CursorText() {}

    static String of(Cursor cursor) {
        Snapshot pin = cursor.pin();
        return "(\"" + cursor.snapshot() + "\"," + cursor.position() + ","
                + (pin == null ? "," : "\"" + pin + "\"," + cursor.late()) + ")";
    }

    static Cursor parse(String text) {
        List<String> fields = fields(text.substring(1, text.length() - 1));
        Snapshot snapshot = new Snapshot(fields.get(0));
        @Nullable Snapshot pin = fields.get(2).isEmpty() ? null : new Snapshot(fields.get(2));
        return new Cursor(
                snapshot,
                Long.parseLong(fields.get(1)),
                pin,
                fields.get(3).isEmpty() ? 0 : Long.parseLong(fields.get(3)));
    }

    private static List<String> fields(String inner) {
        List<String> fields = new ArrayList<>();
        StringBuilder field = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < inner.length(); i++) {
            char c = inner.charAt(i);
            if (c == '"') {
                quoted = !quoted;
            } else if (c == ',' && !quoted) {
                fields.add(field.toString());
                field.setLength(0);
            } else {
                field.append(c);
            }
        }
        fields.add(field.toString());
        return fields;
    }
}
