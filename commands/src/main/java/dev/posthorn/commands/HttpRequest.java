package dev.posthorn.commands;

import java.util.Map;
import java.util.Optional;

/**
 * A request, as far as its repetition is concerned. The array is not copied; whoever makes one gives it away.
 *
 * @param method such as POST
 * @param path with its query
 * @param tenant whose request it is, as the caller has authenticated it: one tenant's keys are nothing to another
 * @param headers by name, which is looked up whatever its case
 * @param body exact bytes
 */
@SuppressWarnings("ArrayRecordComponent") // passed on without a copy; never compared
public record HttpRequest(
        String method, String path, Optional<String> tenant, Map<String, String> headers, byte[] body) {

    public HttpRequest {
        headers = Map.copyOf(headers);
    }

    /** The value of a header. */
    public Optional<String> header(String name) {
        return headers.entrySet().stream()
                .filter(header -> header.getKey().equalsIgnoreCase(name))
                .map(Map.Entry::getValue)
                .findFirst();
    }
}
