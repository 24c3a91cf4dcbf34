package dev.posthorn.transports.redisstreams;

import java.util.ArrayList;
import java.util.List;

/**
 * An entry of a stream as Redis answers it.
 *
 * @param fields names and values in turn, as they are
 */
record Entry(String id, List<byte[]> fields) {

    /** Of an answer {@code [[id, [name, value, …]], …]}. */
    static List<Entry> listOf(Object answer) {
        List<Entry> entries = new ArrayList<>();
        for (Object one : (List<?>) answer) {
            List<?> pair = (List<?>) one;
            List<byte[]> fields = new ArrayList<>();
            ((List<?>) pair.get(1)).forEach(field -> fields.add((byte[]) field));
            entries.add(new Entry(Link.text(pair.get(0)), fields));
        }
        return entries;
    }

    /** The later of two ids, which are milliseconds and a number. */
    static String later(String one, String other) {
        int order = Long.compareUnsigned(part(one, 0), part(other, 0));
        if (order == 0) {
            order = Long.compareUnsigned(part(one, 1), part(other, 1));
        }
        return order >= 0 ? one : other;
    }

    private static long part(String id, int which) {
        int hyphen = id.indexOf('-');
        return Long.parseUnsignedLong(which == 0 ? id.substring(0, hyphen) : id.substring(hyphen + 1));
    }
}
