package dev.posthorn.claimcheck;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The payloads that were used last, up to so many bytes in all. Thread-safe. */
final class PayloadCache {

    private final long most;
    private final Map<PayloadKey, byte[]> contents = new LinkedHashMap<>(16, 0.75f, true);
    private long bytes;

    PayloadCache(long most) {
        this.most = most;
    }

    synchronized Optional<byte[]> get(PayloadKey key) {
        return Optional.ofNullable(contents.get(key));
    }

    /** The array is shared from now on and must not be changed. */
    synchronized void put(PayloadKey key, byte[] content) {
        if (content.length > most || contents.containsKey(key)) {
            return;
        }
        contents.put(key, content);
        bytes += content.length;
        for (Iterator<byte[]> oldest = contents.values().iterator(); bytes > most; ) {
            bytes -= oldest.next().length;
            oldest.remove();
        }
    }
}
